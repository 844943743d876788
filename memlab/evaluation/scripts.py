"""Which script a text is written in."""

from __future__ import annotations

from collections import Counter

import regex

__all__ = ["script_of"]

_SCRIPTS = {
    "Latin": r"\p{Script=Latin}",
    "Cyrillic": r"\p{Script=Cyrillic}",
    "Greek": r"\p{Script=Greek}",
    "Arabic": r"\p{Script=Arabic}",
    "Hebrew": r"\p{Script=Hebrew}",
    "Devanagari": r"\p{Script=Devanagari}",
    "Thai": r"\p{Script=Thai}",
    "Hangul": r"\p{Script=Hangul}",
    "Japanese": r"[\p{Script=Hiragana}\p{Script=Katakana}]",
    "Han": r"\p{Script=Han}",
}
_FINDERS = {name: regex.compile(pattern) for name, pattern in _SCRIPTS.items()}
_LETTER = regex.compile(r"\p{L}")


def script_of(text: str) -> str:
    """Return the script of most letters of a text; Han beside kana is Japanese.

    "Other" is a script not listed or an even mixture, "none" a text without letters.
    """
    letters = "".join(_LETTER.findall(text))
    if not letters:
        return "none"
    counts = Counter({name: len(finder.findall(letters)) for name, finder in _FINDERS.items()})
    if counts["Japanese"]:
        counts["Japanese"] += counts.pop("Han")
    name, most = counts.most_common(1)[0]
    return name if most * 2 > len(letters) else "Other"
