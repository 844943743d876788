"""What a backend can be asked: text, or a query that was composed from a conversation."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from ..errors import InputError

__all__ = ["Composed", "query_text"]


@runtime_checkable
class Composed(Protocol):
    """A composed query: its text as the agent would send it, lone surrogates included."""

    @property
    def text_utf16(self) -> str:
        """Return the text to send."""
        ...


def query_text(query: str | Composed) -> str:
    """Return the text of a query; raise InputError for what is neither text nor composed."""
    if isinstance(query, str):
        return query
    if isinstance(query, Composed):
        return query.text_utf16
    raise InputError(f"A query is text, not {type(query).__name__}: {query!r:.80}.")
