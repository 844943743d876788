"""How the agents read a value: their own rules for variables and files.

The agents are JavaScript programs and read leniently: a number is the longest
numeric prefix of a text, a word that is no yes is a no, and what cannot be read
counts as unset. Source: the agent (18.3.4) and the engine (18.2.3), as they run.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from memlab.text.javascript import BLANKS, trim

__all__ = ["choice", "decimal", "flag", "from_file", "integer", "switch", "text"]

_INTEGER = re.compile(rf"[{re.escape(BLANKS)}]*([+-]?[0-9]+)")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_YES = frozenset({"1", "y", "Y", "true", "TRUE", "yes", "YES", "on", "ON"})


def integer(raw: str) -> int | None:
    """Read the base-10 prefix of a text: ``"5000ms"`` is 5000, ``"2.5"`` is 2."""
    match = _INTEGER.match(raw)
    value = float(match[1]) if match else math.inf
    return int(value) if math.isfinite(value) else None


def decimal(raw: str) -> float | None:
    """Read the decimal prefix of a text: ``"0.5x"`` is 0.5."""
    match = _DECIMAL.match(trim(raw))
    value = float(match[0]) if match else math.inf
    return value if math.isfinite(value) else None


def flag(raw: str) -> bool | None:
    """Read a yes or no as the agent does: empty is unset, any word but its nine yeses is a no."""
    return raw in _YES if raw else None


def switch(raw: str) -> bool | None:
    """Read a yes or no as the engine does: blank is unset, only ``1`` is a yes."""
    return trim(raw) == "1" if trim(raw) else None


def text(raw: str) -> str | None:
    """Read a text: blanks at the ends go, a text in JSON quotes is unquoted, blank is unset."""
    value = trim(raw)
    if value.startswith('"'):
        try:
            unquoted = json.loads(value)
        except ValueError:
            return value
        return unquoted if isinstance(unquoted, str) else value
    return value or None


def choice(raw: str, choices: Sequence[str]) -> str | None:
    """Read one of the listed words, exactly as it is written."""
    value = text(raw)
    return value if value in choices else None


def from_file(value: Any, kind: type, choices: Sequence[str]) -> Any:
    """Return a value of the agent's file if its type fits, else None.

    ``kind`` is bool, int, float, tuple, str or Path; for an int a fraction is cut off downwards.
    """
    if kind in (int, float):
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            return None
        return math.floor(value) if kind is int else value
    if kind is tuple:
        fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return tuple(value) if fits else None
    if not isinstance(value, bool if kind is bool else str) or (choices and value not in choices):
        return None
    return value
