"""Texts as JavaScript holds them: one character of a string for each UTF-16 unit.

In such a string Python's own ``len``, slices and searches do what JavaScript's
do, also where a half of an emoji stands alone.
"""

from __future__ import annotations

import re
import sys
from array import array

__all__ = ["joined", "units"]

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_NATIVE = f"utf-16-{'le' if sys.byteorder == 'little' else 'be'}"


def units(text: str) -> str:
    """Return the text with each character beyond U+FFFF as its two halves."""
    if text.isascii() or not _ASTRAL.search(text):
        return text
    return "".join(map(chr, array("H", text.encode(_NATIVE, "surrogatepass"))))


def joined(text: str) -> str:
    """Return the text with halves that belong together as one character; lone ones stay."""
    if text.isascii() or not _HALVES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
