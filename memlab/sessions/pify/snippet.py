"""The piece of a text that is shown for a hit."""

from __future__ import annotations

from collections.abc import Sequence

from ...text.javascript import trim
from .units import join_units, one_blank, spread

__all__ = ["SNIPPET_UNITS", "first_place", "history_snippet", "snippet"]

SNIPPET_UNITS = 220


def first_place(text: str, words: Sequence[str]) -> int:
    """Return the earliest place of any word in the lower-cased text, in UTF-16 units, or -1.

    Words are found inside longer words too. Lower-casing may shift the place
    against the text itself; the agent uses it as it is.
    """
    lowered = spread(text.lower())
    places = (lowered.find(spread(word)) for word in words)
    return min((place for place in places if place >= 0), default=-1)


def _window(units: str, place: int, size: float) -> tuple[str, bool, bool]:
    """Return the units shown, and whether something was left out before and after them."""
    start = max(0, place - int(size // 3))
    end = start + size
    shown = units[start : max(start, int(end))] if end >= 0 else units[start : int(end) or 0]
    return shown, start > 0, end < len(units)


def snippet(text: str, words: Sequence[str], size: float = SNIPPET_UNITS) -> str:
    """Return ``size`` units around the first word, blanks made one, ``…`` where it was cut."""
    units = spread(text)
    shown, before, after = _window(units, max(0, first_place(text, words)), size)
    body = trim(one_blank(join_units(shown)))
    return f"{'…' if before else ''}{body}{'…' if after else ''}"


def history_snippet(text: str, words: Sequence[str], size: float = SNIPPET_UNITS) -> str:
    """Return the whole text if it fits, else ``size`` units around the first word.

    Blanks are made one before the length is looked at; the cut ends are not trimmed.
    """
    flat = trim(one_blank(text))
    units = spread(flat)
    if len(units) <= size:
        return flat
    shown, before, after = _window(units, max(0, first_place(flat, words)), size)
    return f"{'…' if before else ''}{join_units(shown)}{'…' if after else ''}"
