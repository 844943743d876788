"""JSON as JavaScript writes it (``JSON.stringify``), for values parsed from a log."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import NamedTuple

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


def _object(value: dict[str, object]) -> Iterator[object]:
    whole = sorted((key for key in value if _is_index(key)), key=int)
    keys = [*whole, *(key for key in value if not _is_index(key))]
    for place, key in enumerate(keys):
        yield _Written(f"{',' if place else '{'}{_string(key)}:")
        yield value[key]
    yield _Written("}" if keys else "{}")


def _list(value: list[object]) -> Iterator[object]:
    for place, item in enumerate(value):
        yield _Written("," if place else "[")
        yield item
    yield _Written("]" if value else "[]")


def _simple(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (int, float)):
        return _number(value)
    raise TypeError(f"not a JSON value: {value!r:.80}")


class _Written(NamedTuple):
    """A piece of the JSON text itself, among values still to be written."""

    text: str


def stringify(value: object) -> str:
    """Return the JSON text: no blanks, whole-number keys first in rising order, doubles.

    Nesting costs no recursion: what could be parsed can be written.
    """
    pieces: list[str] = []
    open_values: list[Iterator[object]] = [iter((value,))]
    while open_values:
        for item in open_values[-1]:
            if isinstance(item, _Written):
                pieces.append(item.text)
            elif isinstance(item, dict):
                open_values.append(_object(item))
                break
            elif isinstance(item, list):
                open_values.append(_list(item))
                break
            else:
                pieces.append(_simple(item))
        else:
            open_values.pop()
    return "".join(pieces)
