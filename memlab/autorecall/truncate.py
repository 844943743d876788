"""How the agent cuts a query that is too long: oldest lines first, then the prompt's end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..text.javascript import trim
from ..text.units import joined, units
from .draft import CONTEXT_MARK

__all__ = ["Cut", "cut_query", "truncate"]


class Cut(NamedTuple):
    """A query that fits, and how many of the last lines of its context are left.

    ``kept`` is None where nothing had to go, 0 where all context went.
    """

    text: str
    kept: int | None


def truncate(query: str, latest: str, max_chars: int) -> str:
    """Return a query of at most ``max_chars`` UTF-16 units, cut as the agent cuts it."""
    return cut_query(query, latest, max_chars).text


def cut_query(query: str, latest: str, max_chars: int) -> Cut:
    """Cut a query to ``max_chars`` UTF-16 units; 0 or less is no limit.

    The longest run of last context lines is kept that fits before the prompt:
    lines, not messages, so a kept line may have lost its role. Where none fits,
    or the prompt alone is too long, the first units of the prompt are all that
    is asked; such a cut may leave half of an emoji.
    """
    whole = units(query)
    if max_chars <= 0 or len(whole) <= max_chars:
        return Cut(joined(query), None)
    latest = trim(units(latest))
    alone = Cut(joined(latest[:max_chars]), 0)
    begin = whole.find(CONTEXT_MARK)
    suffix = f"\n\n{latest}"
    end = whole.rfind(suffix)
    if begin < 0 or end < 0 or len(suffix) >= max_chars:
        return alone
    lines = [line for line in whole[begin + len(CONTEXT_MARK) : end].split("\n") if line]
    kept = _fitting(lines, max_chars - len(CONTEXT_MARK) - len(suffix))
    if not kept:
        return alone
    body = "\n".join(lines[-kept:])
    return Cut(joined(f"{CONTEXT_MARK}{body}{suffix}"), kept)


def _fitting(lines: Sequence[str], room: int) -> int:
    """Return how many of the last lines fit into ``room`` units, joined by newlines."""
    used = -1
    for count, line in enumerate(reversed(lines)):
        used += len(line) + 1
        if used > room:
            return count
    return len(lines)
