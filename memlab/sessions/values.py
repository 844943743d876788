"""Small readings of parsed JSON, which may hold anything anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

from ..text.dates import parse_millis
from .pify.jsontext import stringify

__all__ = [
    "as_json",
    "first_time",
    "kind_of",
    "mapping",
    "millis",
    "number",
    "text_of",
    "texts",
    "whole",
]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_USUAL = len("2026-01-05T09:12:33.120Z")


def mapping(value: object) -> Mapping[str, Any]:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def text_of(value: object) -> str | None:
    """Return the value if it is a text that is not empty, else None."""
    return value if isinstance(value, str) and value else None


def kind_of(row: Mapping[str, Any]) -> str:
    """Return the ``type`` of an object, "" where it has none that is a text."""
    return text_of(row.get("type")) or ""


def number(value: object) -> float | None:
    """Return a finite number as a float, else None; booleans are no numbers."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        result = float(value)
    except OverflowError:
        return None
    return result if abs(result) < float("inf") else None


def whole(value: object) -> int | None:
    """Return a number that is whole as an int, else None."""
    result = number(value)
    return int(result) if result is not None and result.is_integer() else None


def millis(value: object, local: tzinfo = UTC) -> float | None:
    """Return the milliseconds since 1970 of a number or of a date text, else None.

    ``local`` is the zone of times that carry none.
    """
    if not isinstance(value, str):
        return number(value)
    if len(value) == _USUAL and value[10] == "T" and value[-1] == "Z" and value[19] == ".":
        try:
            since = datetime.fromisoformat(value) - _EPOCH
        except ValueError:
            return parse_millis(value, local)
        return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000
    return parse_millis(value, local)


def first_time(*candidates: object) -> float | None:
    """Return the first usable time, in milliseconds, or None."""
    for value in candidates:
        if value is not None and (time := millis(value)) is not None:
            return time
    return None


def texts(content: object) -> Iterable[str]:
    """Return a string content, or the texts of its text blocks."""
    if isinstance(content, str):
        return (content,)
    if not isinstance(content, list):
        return ()
    return (
        block["text"]
        for block in content
        if isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    )


def as_json(value: object) -> str:
    """Return compact JSON for reading and searching; a missing value is an empty object."""
    if value is None:
        return "{}"
    try:
        return _JSON.encode(value)
    except RecursionError:
        return stringify(value)
