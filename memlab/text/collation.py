"""The order of JavaScript's ``localeCompare``, which the agent uses for ties.

For ASCII the order is exact. For other texts the agents' runtime asks ICU's
root collation; with PyICU (``pip install 'memlab[icu]'``) the same is asked
here. Without it the order is close, and :func:`is_exact` tells where that is
enough: letters by their base letter, then by marks, then by case; scripts,
digits and marks of punctuation roughly as ICU ranks them.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Protocol

__all__ = ["compare", "is_exact", "uses_icu"]

_PUNCTUATION = "\t\n\v\f\r\u2028\u2029 _-‐‒–—―〜・,、;:!¡?¿.。·'‘’‚‛‹›\"“”„«»()[]{}〈〉《》「」『』【】§¶@*/\\&#%‰†‡•"
_SYMBOLS = "`´^¯¨°©®←↑→↓↔⇐⇒⇔+±÷×<=>¬|¦~−√∞≈≤≥■□▲△▼○●★☆"
_CURRENCY = "¤¢$£¥₩€₹₽"
_GROUPS = (_PUNCTUATION, _SYMBOLS, _CURRENCY)
_LISTED = {
    mark: (group, place) for group, marks in enumerate(_GROUPS) for place, mark in enumerate(marks)
}
_DIGITS, _LETTERS = 3, 4
# Letters that ICU takes apart and Unicode's decomposition does not.
_SPREAD = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o\u0338", "ł": "l\u0335", "đ": "d\u0335"}
_QUOTES = {"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"'}
_HANGUL = ((0x1100, 0x1200), (0x3130, 0x3190), (0xAC00, 0xD7B0))
_KANA = ((0x3040, 0x3100), (0x31F0, 0x3200))
_HIRAGANA_SHIFT = 0x60

Weight = tuple[int, int]


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
    """Tell whether texts outside ASCII are compared by ICU itself."""
    return _icu() is not None


def is_exact(left: str, right: str) -> bool:
    """Tell whether two texts are compared as the agent compares them, for sure."""
    return left == right or (left.isascii() and right.isascii()) or uses_icu()


def _script(code: int) -> int:
    """Rank the scripts that ICU puts in another order than their code points."""
    if any(low <= code < high for low, high in _HANGUL):
        return 1
    if any(low <= code < high for low, high in _KANA):
        return 2
    return 3 if code >= 0x2E80 else 0


def _primary(char: str) -> Weight | None:
    """Return what counts first of a small letter or a mark; None where nothing does."""
    listed = _LISTED.get(_QUOTES.get(char, char))
    if listed is not None:
        return listed
    kind = unicodedata.category(char)
    if kind[0] == "C":
        return None
    if kind == "Nd":
        return _DIGITS, unicodedata.digit(char)
    code = ord(char)
    if kind[0] in "PSZ" or kind == "Lm":
        group = 0 if kind[0] in "PZ" else 2 if kind == "Sc" else 1
        return group, len(_GROUPS[group]) + code
    if 0x30A1 <= code <= 0x30F6:
        code -= _HIRAGANA_SHIFT
    return _LETTERS + _script(code), 2 * ord("i") + 1 if char == "ı" else 2 * code


def _spread(char: str) -> str:
    if char in _LISTED:
        return char
    return unicodedata.normalize("NFKD", _SPREAD.get(char, char)).lower()


def _key(text: str) -> tuple[list[Weight], list[int], list[tuple[bool, bool]]]:
    """Base letters, then marks, then case: the three levels of the root collation."""
    letters: list[Weight] = []
    marks: list[int] = []
    cases: list[tuple[bool, bool]] = []
    for char in unicodedata.normalize("NFC", text):
        small = char.lower()
        for part in _spread(small):
            if unicodedata.combining(part):
                marks.append(ord(part))
                continue
            weight = _primary(part)
            if weight is not None:
                letters.append(weight)
                marks.append(0)
                cases.append((small != char, part != small or char in _QUOTES))
    return letters, marks, cases


def compare(left: str, right: str) -> int:
    """Return -1, 0 or 1 as ``left.localeCompare(right)`` does."""
    if left == right:
        return 0
    collator = _icu()
    if collator is not None and not (left.isascii() and right.isascii()):
        result = collator.compare(left, right)
        return (result > 0) - (result < 0)
    first, second = _key(left), _key(right)
    return (first > second) - (first < second)
