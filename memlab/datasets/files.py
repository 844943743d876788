"""Reading the files of data sets; every fault names the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import FormatError, InputError
from ..files import expanded

__all__ = ["existing", "read_json", "read_lines"]


def existing(path: str | Path, what: str) -> Path:
    """Return the path of a file or folder that is there; raise InputError otherwise."""
    found = expanded(path)
    if not found.exists():
        raise InputError(
            f"There is nothing at {found}. memlab downloads nothing: get {what} yourself, "
            "and give its path."
        )
    return found


def read_json(path: Path) -> Any:
    """Return what a JSON file holds; raise FormatError naming the file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"{path} cannot be read as JSON: {error}") from error


def read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield number and content of each JSON line; raise FormatError naming file and line."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line.decode("utf-8"))
            except ValueError as error:
                raise FormatError(f"{path}, line {number}: not JSON ({error})") from error
