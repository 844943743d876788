"""The order of JavaScript's ``localeCompare``, which the agent uses for ties.

For ASCII the order below is exact. Outside ASCII the runtime asks ICU's root
collation: letters are compared here by their base letter first, then by marks,
then by code point, which agrees for most Latin, Cyrillic, Greek and Han texts
but is not promised to; with PyICU installed (``pip install memlab[icu]``) the
real collation is asked instead.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Protocol

__all__ = ["compare", "uses_icu"]

_PUNCTUATION = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"
_PRIMARY = {mark: (0, place) for place, mark in enumerate(_PUNCTUATION)}


class _Collator(Protocol):
    def compare(self, left: str, right: str) -> int: ...


@cache
def _icu() -> _Collator | None:
    try:
        import icu
    except ImportError:
        return None
    collator: _Collator = icu.Collator.createInstance(icu.Locale.getRoot())
    return collator


def uses_icu() -> bool:
    """Tell whether ties outside ASCII are decided by ICU itself."""
    return _icu() is not None


def _primary(char: str) -> tuple[int, int] | None:
    if char in _PRIMARY:
        return _PRIMARY[char]
    if char < " " or char == "\x7f":
        return None
    return (1 if char < "\x80" else 2, ord(char))


def _key(text: str) -> tuple[list[tuple[int, int]], list[int], list[bool]]:
    """Base letters, then marks, then case: the three levels of the root collation."""
    plain = unicodedata.normalize("NFD", text)
    letters: list[tuple[int, int]] = []
    marks: list[int] = []
    upper: list[bool] = []
    for char in plain:
        if unicodedata.combining(char):
            marks.append(ord(char))
            continue
        folded = char.lower()
        weight = _primary(folded[0])
        if weight is not None:
            letters.append(weight)
            marks.append(0)
            upper.append(folded != char)
    return letters, marks, upper


def compare(left: str, right: str) -> int:
    """Return -1, 0 or 1 as ``left.localeCompare(right)`` does."""
    if left == right:
        return 0
    collator = _icu()
    if collator is not None and not (left.isascii() and right.isascii()):
        return (result > 0) - (result < 0) if (result := collator.compare(left, right)) else 0
    first, second = _key(left), _key(right)
    return (first > second) - (first < second)
