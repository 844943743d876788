"""The texts of the search tools, to the letter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ...errors import InvalidTime
from ...text.dates import DAY_MS, LIMIT_MS, iso_day
from ...text.javascript import length
from .history import HistoryHit
from .units import head

__all__ = ["MAX_TEXT_UNITS", "Found", "heading", "history_text", "hits_text", "label"]

MAX_TEXT_UNITS = 8000
_DAY_UNITS = 10


class Found(Protocol):
    """What a text needs to know of a hit."""

    @property
    def session(self) -> str:
        """Return the name of the log."""
        ...

    @property
    def title(self) -> str | None:
        """Return the label, or None where the name is shown."""
        ...

    @property
    def time(self) -> float:
        """Return milliseconds since 1970; 0 is unknown."""
        ...

    @property
    def role(self) -> str:
        """Return who spoke."""
        ...

    @property
    def snippet(self) -> str:
        """Return the piece shown."""
        ...


def _day(time: float) -> str:
    """Return the UTC day as ten units of its ISO form."""
    return head(iso_day(int(time // DAY_MS)), _DAY_UNITS)


def label(hit: Found) -> str:
    """Return the title, or the session's id where there is none (an empty title is one)."""
    return hit.session if hit.title is None else hit.title


def heading(hit: Found, *, strict: bool = False, title: str | None = None) -> str:
    """Return ``[title · role · YYYY-MM-DD]``; the date is left out where the time is 0.

    A time beyond all dates leaves it out too, or raises InvalidTime if ``strict``.
    ``title`` replaces the hit's own.
    """
    parts = [label(hit) if title is None else title, hit.role]
    if abs(hit.time) > LIMIT_MS:
        if strict:
            raise InvalidTime(f"{hit.time!r} ms is beyond the last date, {LIMIT_MS:.0f} ms.")
    elif hit.time:
        parts.append(_day(hit.time))
    return f"[{' · '.join(parts)}]"


def _list(headline: str, items: Sequence[str], max_units: float) -> str:
    """Join as many items as fit; the first is always shown, the rest are counted."""
    shown, used = headline, length(headline)
    for place, item in enumerate(items):
        size = length(item)
        if place and used + size > max_units:
            return f"{shown}\n\n… {len(items) - place} more omitted — narrow the query."
        shown, used = shown + item, used + size
    return shown


def hits_text(query: str, hits: Sequence[Found], max_units: float = MAX_TEXT_UNITS) -> str:
    """Return what ``session_search`` answers."""
    if not hits:
        return (
            f'No past sessions matched "{query}". Try distinctive terms — an identifier, '
            "an error string, a feature name — rather than a full sentence."
        )
    count = "1 match" if len(hits) == 1 else f"{len(hits)} matches"
    items = [f"\n\n{heading(hit)}\n  {hit.snippet}" for hit in hits]
    return _list(f'{count} for "{query}", most relevant first:', items, max_units)


def history_text(
    query: str, hits: Iterable[HistoryHit], total: int, max_units: float = MAX_TEXT_UNITS
) -> str:
    """Return what ``session_history`` answers; ``total`` is the number of entries searched."""
    found = list(hits)
    if not found:
        return (
            f'Nothing in this session\'s {total} entries matched "{query}". '
            "Try a distinctive term — a command, an error string, a file name."
        )
    items = []
    for hit in found:
        parts = [f"#{hit.index}", *([hit.id] if hit.id else []), hit.role]
        items.append(f"\n\n[{' · '.join(parts)}]\n  {hit.snippet}")
    headline = (
        f'{len(found)} of this session\'s {total} entries match "{query}", best first '
        "(this is the full branch, including what compaction summarized away):"
    )
    return _list(headline, items, max_units)
