"""JSON as JavaScript writes it (``JSON.stringify``), for values parsed from a log."""

from __future__ import annotations

import json
import math
import re

from ...text.javascript import number_text
from .units import join_units

__all__ = ["stringify"]

_INDEX_LIMIT = 2**32 - 1
_INDEX = re.compile(r"(?:0|[1-9]\d{0,9})\Z", re.ASCII)
_LONE = re.compile("[\ud800-\udfff]")


def _string(text: str) -> str:
    quoted = json.dumps(join_units(text), ensure_ascii=False)
    return _LONE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _number(value: float) -> str:
    try:
        number = float(value)
    except OverflowError:
        return "null"
    return number_text(number) if math.isfinite(number) else "null"


def _is_index(key: str) -> bool:
    return bool(_INDEX.match(key)) and int(key) < _INDEX_LIMIT


def _object(value: dict[str, object]) -> str:
    whole = sorted((key for key in value if _is_index(key)), key=int)
    keys = [*whole, *(key for key in value if not _is_index(key))]
    return "{" + ",".join(f"{_string(key)}:{stringify(value[key])}" for key in keys) + "}"


def stringify(value: object) -> str:
    """Return the JSON text: no blanks, whole-number keys first in rising order, doubles."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, dict):
        return _object(value)
    if isinstance(value, list):
        return "[" + ",".join(map(stringify, value)) + "]"
    raise TypeError(f"not a JSON value: {value!r:.80}")
