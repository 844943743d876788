"""Short names for content: the same content, the same name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..errors import InputError

__all__ = ["canonical", "digest"]


def canonical(value: Any) -> Any:
    """Return a value as JSON can hold it, the same for the same content.

    Raises InputError for a value that is not plain data, such as a function.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): canonical(part) for name, part in sorted(value.items(), key=_name)}
    if isinstance(value, list | tuple):
        return [canonical(part) for part in value]
    if isinstance(value, set | frozenset):
        return sorted((canonical(part) for part in value), key=repr)
    name = getattr(value, "__qualname__", None)
    raise InputError(
        f"{name or repr(value):.60} is no plain value, so memlab cannot tell whether it is the "
        "same another time. Give text, numbers, lists or mappings."
    )


def _name(pair: tuple[Any, Any]) -> str:
    return str(pair[0])


def digest(value: Any) -> str:
    """Return 24 hexadecimal digits that stand for a value's content."""
    text = json.dumps(canonical(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]
