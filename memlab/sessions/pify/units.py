"""Texts as rows of UTF-16 code units, so that a Python slice cuts where JavaScript cuts."""

from __future__ import annotations

import re

from ...text.javascript import BLANKS

__all__ = ["head", "join_units", "one_blank", "spread"]

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_BLANK_RUN = re.compile(f"[{re.escape(BLANKS)}]+")


def _halves(match: re.Match[str]) -> str:
    high, low = divmod(ord(match[0]) - 0x10000, 0x400)
    return chr(0xD800 + high) + chr(0xDC00 + low)


def _whole(match: re.Match[str]) -> str:
    high, low = ord(match[0][0]), ord(match[0][1])
    return chr(0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00)


def spread(text: str) -> str:
    """Return the text with each astral character as its two surrogates: one character per unit."""
    if text.isascii() or _ASTRAL.search(text) is None:
        return text
    return _ASTRAL.sub(_halves, text)


def join_units(units: str) -> str:
    """Undo ``spread``: pairs of surrogates become characters, lone halves stay."""
    if units.isascii() or _PAIR.search(units) is None:
        return units
    return _PAIR.sub(_whole, units)


def head(text: str, size: float) -> str:
    """Return the first ``size`` units of a text (``slice(0, size)``)."""
    if len(text) * 2 <= size:
        return text
    part = text[: int(size)]  # no fewer units than characters
    return part if part.isascii() else join_units(spread(part)[: int(size)])


def one_blank(text: str) -> str:
    """Make each run of JavaScript's blanks one space."""
    return _BLANK_RUN.sub(" ", text)
