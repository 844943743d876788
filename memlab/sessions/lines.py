"""Bytes of a log to parsed lines: one JSON value a line, split at newlines alone.

Strict JSON, as the agents' runtime reads it: no NaN, no raw control characters,
one value a line; of a doubled key the last counts, lone surrogates are fine,
bad bytes become U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from pydantic_core import from_json

from ..text.javascript import trim
from .problems import Problem

__all__ = ["BLANK", "MalformedLine", "parse_line", "read_lines"]

_LONG = re.compile(r"\d{400}")
_UNFINISHED = "the last line is unfinished; the agent may be writing it"


BLANK = object()
"""What a line without anything on it is; ``null`` is a value."""


class MalformedLine(ValueError):
    """A line that is no JSON value; the message says why."""


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _whole(digits: str) -> int | float:
    return float(digits) if _LONG.search(digits) else int(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse)
# Python refuses whole numbers of thousands of digits, which the agents read as infinite.
_PATIENT = json.JSONDecoder(parse_constant=_refuse, parse_int=_whole)


def _decode(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise MalformedLine(f"not JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise MalformedLine("nested too deeply to be read") from None
    except ValueError as error:
        if _LONG.search(text) is None:
            raise MalformedLine(str(error)) from None
    try:
        return _PATIENT.decode(text)
    except (ValueError, RecursionError) as error:
        raise MalformedLine(f"not JSON: {error}") from None


def parse_line(raw: bytes) -> Any:
    """Return the value of one line, or ``BLANK``. Raises MalformedLine if it is no JSON."""
    try:
        # Twice as fast, and stricter: what it refuses may still be a line to the agents.
        return from_json(raw, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        return _patiently(raw)


def _patiently(raw: bytes) -> Any:
    """Read a line as the agents' runtime does, blanks, bad bytes and lone surrogates included."""
    text = trim(raw.decode("utf-8", "replace"))
    if not text:
        return BLANK
    if text[0] == "\0":
        raise MalformedLine("zero bytes instead of a line")
    return _decode(text)


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _to_the_end(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file up to its first end: what is written later would begin mid-line."""
    for raw in file:
        yield raw
        if not raw.endswith(b"\n"):
            return


def read_lines(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    """Yield number (from 1) and value of each line that can be read; append the problems.

    The file is read as a stream, to the end it has when the reader gets there.
    Raises OSError as ``open`` does.
    """
    with path.open("rb") as file:
        for number, raw in enumerate(_to_the_end(file), start=1):
            try:
                value = parse_line(raw)
            except MalformedLine as error:
                why = str(error) if raw.endswith(b"\n") else f"{_UNFINISHED} ({error})"
                problems.append(Problem(str(path), number, why))
                continue
            if not raw.isascii() and not _is_utf8(raw):
                problems.append(Problem(str(path), number, "bytes that are no UTF-8 became U+FFFD"))
            if value is not BLANK:
                yield number, value
