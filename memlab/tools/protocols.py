"""What the tools need of a backend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from ..errors import InputError

__all__ = ["EditAnswer", "Editable", "Readable", "Reflecting", "Retaining", "able"]


class EditAnswer(Protocol):
    """What became of an edit, and the sentence about it."""

    @property
    def status(self) -> str:
        """Return updated, deleted, invalidated, not_found or not_editable."""
        ...

    @property
    def store(self) -> str | None:
        """Return where the id was found: working, episodic, fact or None."""
        ...

    @property
    def bank(self) -> str:
        """Return the name of the bank."""
        ...

    @property
    def text(self) -> str:
        """Return the answer of the agent's tool."""
        ...


@runtime_checkable
class Editable(Protocol):
    """A Mnemopi bank that is open for writing."""

    def update(
        self, key: str, content: str | None = None, importance: float | None = None
    ) -> EditAnswer:
        """Change text or importance of a working memory."""
        ...

    def forget(self, key: str) -> EditAnswer:
        """Delete a working memory."""
        ...

    def invalidate(self, key: str, replacement_id: str | None = None) -> EditAnswer:
        """End the validity of a memory."""
        ...


@runtime_checkable
class Readable(Protocol):
    """A bank, or a scope of banks, that single memories are read from."""

    def lookup(self, key: str) -> Mapping[str, Any] | None:
        """Return a memory or fact as the agent reads it, or None."""
        ...


@runtime_checkable
class Retaining(Protocol):
    """A backend that takes new memories in."""

    def retain(self, items: Sequence[Mapping[str, Any]]) -> Any:
        """Store memories; each has a content, and perhaps context and metadata.

        The answer of a Mnemopi bank has ``ids``, one per item.
        """
        ...


@runtime_checkable
class Reflecting(Protocol):
    """A server that answers questions out of what it remembers."""

    def reflect(self, query: str, *, context: str | None = None, budget: str = "mid") -> Any:
        """Return the answer: a text, or something with a ``text``."""
        ...


def able(backend: Any, protocol: type, what: str) -> Any:
    """Return a backend that can; raise InputError, with the way out, for one that cannot."""
    if not isinstance(backend, protocol):
        raise InputError(
            f"{backend!r} cannot {what}. Give a bank that is open for writing, such as a copy: "
            "bank.copy(path)."
        )
    return backend
