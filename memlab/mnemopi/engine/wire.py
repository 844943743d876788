"""Requests as they travel to the bridge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...errors import InputError, InvalidTime
from ...files import expanded
from .copies import copy_bank, copy_scope

__all__ = ["decode", "encode", "isolated", "request_of", "utc_text"]

_EXACT_DIGITS = 16
_IDENTITY = ("bank", "session", "channel", "author_id", "author_type")
_KEYS = frozenset({"id", "op", "db", "now", "isolate", "undo", "after", "args", *_IDENTITY})


def utc_text(moment: str | datetime) -> str:
    """An instant as the engine writes it: ``YYYY-MM-DDThh:mm:ss.mmmZ``; a text stays as it is."""
    if isinstance(moment, str):
        return moment
    if moment.tzinfo is None:
        raise InvalidTime(f"now={moment!r} has no time zone; give it one, as in tzinfo=UTC.")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def request_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A checked request with absolute paths; what is None is left out.

    Raises InputError for a key the bridge does not know.
    """
    if unknown := set(raw) - _KEYS:
        raise InputError(
            f"A request has no {', '.join(sorted(unknown))}; it has {', '.join(sorted(_KEYS))}."
        )
    if not isinstance(raw.get("op"), str):
        raise InputError(f"A request needs op, the name of an operation; this one is {raw!r}.")
    request = {key: value for key, value in raw.items() if value is not None}
    if "db" in request:
        request["db"] = _absolute(request["db"])
    if "now" in request:
        request["now"] = utc_text(request["now"])
    args = dict(request.get("args", {}))
    if "dbPath" in args:
        args["dbPath"] = _absolute(args["dbPath"])
    if "dbPath" in args.get("config", {}):
        args["config"] = {**args["config"], "dbPath": _absolute(args["config"]["dbPath"])}
    return request | {"args": args}


def _absolute(path: str | Path) -> str:
    return str(expanded(path).absolute())


def isolated(request: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The same request on copies of its banks, made now in ``folder`` and closed afterwards."""
    args = request["args"]
    if "db" in request:
        return {
            **request,
            "db": str(copy_bank(request["db"], folder / "bank.db")),
            "transient": True,
        }
    if "dbPath" in args.get("config", {}):
        copied = copy_scope(args["config"], folder)
        return {**request, "args": {**args, "config": copied}, "transient": True}
    raise InputError(f"isolate needs a bank to copy, and {request['op']} names none.")


def encode(request: Mapping[str, Any]) -> bytes:
    """One line. Pure ASCII, so that lone surrogates survive."""
    plain = {key: value for key, value in request.items() if key != "isolate"}
    try:
        return json.dumps(plain, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"
    except (TypeError, ValueError) as error:
        raise InputError(
            f"A request of {request['op']} cannot be written as JSON: {error}."
        ) from error


def decode(line: bytes) -> Any:
    """Read one line of the bridge; raise ValueError for what is no JSON.

    Numbers that are not finite, and bytes, come as ``{"$number": "NaN"}`` and ``{"$bytes": "05"}``.
    """
    marked = b'"$number"' in line or b'"$bytes"' in line
    return json.loads(line, object_hook=_untold if marked else None, parse_int=_number)


def _number(digits: str) -> float:
    """Read a whole number; one beyond 2**53 is a float, as it was in JavaScript."""
    return float(digits) if len(digits) > _EXACT_DIGITS else int(digits)


def _untold(found: dict[str, Any]) -> Any:
    match found:
        case {"$number": "NaN" | "Infinity" | "-Infinity" as number} if len(found) == 1:
            return float(number)
        case {"$bytes": str(digits)} if len(found) == 1:
            return bytes.fromhex(digits)
    return found
