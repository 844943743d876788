"""JavaScript's view of text and numbers, where it differs from Python's.

The agents are JavaScript programs: they measure and cut text in UTF-16 code
units, take other characters for blanks, and round and print numbers by other
rules. Source of the rules: ECMA-262, and the engine's own answers.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal

__all__ = [
    "BLANKS",
    "collapse_blanks",
    "cut",
    "length",
    "number",
    "number_text",
    "order_key",
    "round4",
    "split_blanks",
    "to_fixed",
    "trim",
    "well_formed",
]

BLANKS = (
    "\t\n\v\f\r \xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The characters of JavaScript's ``\\s`` and of ``trim()``."""

_BLANK = f"[{re.escape(BLANKS)}]"
_BLANK_RUN = re.compile(f"{_BLANK}+")
_BLANK_RUN_2 = re.compile(f"{_BLANK}{{2,}}")
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_RADIX = re.compile(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)\Z")
_LONE = re.compile("[\ud800-\udfff]")
_WIDE = Context(prec=400)


def length(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, start: int, end: int | None = None) -> str:
    """Return ``text.slice(start, end)``, counted in UTF-16 code units.

    A cut inside an astral character leaves a lone surrogate, as it does in JavaScript.
    """
    if text.isascii():
        return text[start:end]
    units = text.encode("utf-16-le", "surrogatepass")
    low, high, _ = slice(start, end).indices(len(units) // 2)
    return units[2 * low : 2 * max(low, high)].decode("utf-16-le", "surrogatepass")


def trim(text: str) -> str:
    """Remove JavaScript's blanks from both ends."""
    return text.strip(BLANKS)


def split_blanks(text: str) -> list[str]:
    """Split at runs of JavaScript's blanks; no empty words."""
    return [word for word in _BLANK_RUN.split(text) if word]


def collapse_blanks(text: str) -> str:
    """Replace each run of two and more blanks by one space."""
    return _BLANK_RUN_2.sub(" ", text)


def order_key(text: str) -> bytes:
    """Return a sort key for JavaScript's default order: by UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def well_formed(text: str) -> str:
    """Replace lone surrogates by U+FFFD, as JavaScript does when it writes UTF-8."""
    if text.isascii():
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _LONE.sub("\ufffd", joined)


def round4(value: float) -> float:
    """Round to four decimals, halves towards plus infinity (``Math.round(x * 1e4) / 1e4``)."""
    scaled = value * 10000
    if not math.isfinite(scaled):
        return scaled / 10000
    floor = math.floor(scaled)
    return (floor + 1 if scaled - floor >= 0.5 else floor) / 10000


def to_fixed(value: float, digits: int) -> str:
    """Print with a fixed number of decimals from the exact binary value, ties away from zero."""
    if not math.isfinite(value) or abs(value) >= 1e21:
        return number_text(value)
    exact = Decimal(value if value != 0 else 0.0)
    return f"{exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP, context=_WIDE):f}"


def number_text(value: float) -> str:
    """Print a number as JavaScript's ``String(x)`` does: the shortest digits that read back."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)
    if text == "0":
        return "0"
    if 0 < point <= 21:
        shown = text.ljust(point, "0") if point >= len(text) else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        shown = "0." + "0" * -point + text
    else:
        fraction = f".{text[1:]}" if len(text) > 1 else ""
        shown = f"{text[0]}{fraction}e{point - 1:+d}"
    return f"-{shown}" if sign else shown


def number(value: object, fallback: float) -> float:
    """Read a value as the engine does: null is 0, text is parsed, else the fallback.

    Bytes and lists are read as JavaScript writes them out, joined by commas: none is 0, a
    single one may be a number.
    """
    if value is None:
        return 0.0
    if isinstance(value, (bool, int, float)):
        return _finite(value, fallback)
    if isinstance(value, (bytes, list)):
        return number(_joined(value), fallback)
    if not isinstance(value, str):
        return fallback
    text = trim(value)
    if text == "":
        return 0.0
    if _RADIX.match(text):
        return _finite(int(text, 0), fallback)
    return _finite(float(text), fallback) if _DECIMAL.match(text) else fallback


def _finite(value: float, fallback: float) -> float:
    try:
        result = float(value)
    except OverflowError:  # a whole number larger than any float: infinite in JavaScript
        return fallback
    return result if math.isfinite(result) else fallback


def _joined(value: object) -> str:
    """Return ``String(value)`` as far as it can be a number: several parts are none."""
    while isinstance(value, (bytes, list)):
        if len(value) > 1:
            return ","
        value = value[0] if value else None
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return "true"
    return value if isinstance(value, str) else repr(value)
