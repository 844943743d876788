"""Foreign text made safe for a terminal."""

from __future__ import annotations

import unicodedata

__all__ = ["one_line", "printable"]

_KEPT = "\n\t"
# Marks that turn the direction of a whole line; letters of right-to-left scripts need none.
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """Replace control characters, lone surrogates and direction overrides by U+FFFD.

    So memory text can neither move the cursor, nor colour, nor retype a line.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join("\ufffd" if _unsafe(char) else char for char in text)


def _unsafe(char: str) -> bool:
    if char in _KEPT:
        return False
    return char in _TURNS or unicodedata.category(char) in ("Cc", "Cs")


def one_line(text: str, width: int) -> str:
    """Return a text on one line of at most ``width`` characters, safe for a terminal."""
    line = " ".join(printable(text).split())
    if len(line) <= width:
        return line
    cut = line[: width - 1]
    blank = cut.rfind(" ")
    # At a word's end, unless the last word is so long that little would be left.
    return cut[: blank if blank > width // 2 else width - 2].rstrip() + " …"
