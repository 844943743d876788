"""Read a safetensors file: a header that says where each array lies, then the arrays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ServerError

__all__ = ["Arrays", "read_weights"]

Arrays = dict[str, "np.ndarray[Any, Any]"]
_KINDS = {"F32": "<f4", "F16": "<f2", "I64": "<i8"}


def read_weights(path: Path) -> Arrays:
    """Return all arrays of a safetensors file by name, floats as 32 bits.

    Raises ServerError for a file that is none.
    """
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8 : 8 + size])
        header.pop("__metadata__", None)
        return {name: _array(data, 8 + size, entry) for name, entry in header.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise ServerError(f"{path} does not hold the weights of a model: {error}.") from error


def _array(data: bytes, start: int, entry: dict[str, Any]) -> np.ndarray[Any, Any]:
    begin, end = entry["data_offsets"]
    flat = np.frombuffer(data[start + begin : start + end], _KINDS[entry["dtype"]])
    shaped = flat.reshape(entry["shape"])
    return shaped.astype("<f4") if shaped.dtype.kind == "f" else shaped
