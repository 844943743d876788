"""Stored values as polyphonic recall takes them: plain JavaScript, without the checks of recall."""

from __future__ import annotations

import json
import math
from typing import Any

from ...text.javascript import number, number_text

__all__ = ["parsed", "strength", "written"]


def strength(value: object) -> float:
    """Return a stored number; what is none counts as 0, as no order is determined then."""
    if isinstance(value, float) and math.isinf(value):
        return value
    return number(value, 0.0)


def written(value: object) -> str:
    """Return a stored value as JavaScript writes it into a text."""
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return number_text(float(value))
    return ",".join(map(str, value)) if isinstance(value, bytes) else str(value)


def parsed(text: object) -> Any:
    """Return a stored JSON text as a value, or None where it is none."""
    try:
        return json.loads(text, parse_constant=_refused) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
