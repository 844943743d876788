"""Paths that people give, and files that memlab writes: whole, and never over what is not its own."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from .errors import InputError
from .text.terminal import printable

__all__ = ["check_target", "expanded", "write_bytes", "write_text"]

DATABASE = b"SQLite format 3\0"
_FIRST = 65_536
"""Bytes of a file that are looked at; every header of a session log is shorter."""


def expanded(path: str | Path) -> Path:
    """Return a path with its ``~`` replaced; ``~name`` of nobody stays, as in a shell."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def check_target(path: str | Path) -> Path:
    """Return the file that a path names, if memlab may write there; a link is followed.

    Raises InputError for a directory, a device or pipe, a database, and an
    agent's session log: a slip of a path must not cost anyone a memory.
    """
    try:
        target = Path(os.path.realpath(expanded(path)))
    except ValueError as error:  # a NUL
        raise InputError(f"{_shown(path)} cannot be the name of a file: {error}.") from None
    if not target.exists():
        return target
    if target.is_dir():
        raise InputError(f"{_shown(path)} is a directory. Name a file in it.")
    if not target.is_file():
        raise InputError(f"{_shown(path)} is a device or a pipe. Name an ordinary file.")
    if what := _foreign(target):
        raise InputError(
            f"{_shown(path)} is {what}; it is not written over. Name another file, or move it away."
        )
    return target


def write_text(path: str | Path, text: str) -> Path:
    """Write a text as UTF-8 with the line ends it has; return the path given.

    The file appears whole: what was there before stays until then. Folders on
    the way are made. Raises InputError as :func:`check_target` does, and where
    the file system refuses; UnicodeEncodeError for half an emoji.
    """
    return write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | Path, content: bytes) -> Path:
    """Write bytes, as :func:`write_text` does."""
    target = check_target(path)
    fresh = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            fresh.write_bytes(content)
            if target.exists():
                shutil.copymode(target, fresh)
            fresh.replace(target)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(
            f"{_shown(path)} cannot be written ({error.strerror or error}). Name a file in a folder "
            "that can be written to."
        ) from error
    return expanded(path)


def _foreign(target: Path) -> str | None:
    """Name what a file is, if it is one of those that people cannot make again."""
    try:
        with target.open("rb") as file:
            first = file.readline(_FIRST)
    except OSError:  # then it cannot be written either, and that is said in its own words
        return None
    if first.startswith(DATABASE):
        return "a database"
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return None
    # Each line of an agent's log has a type; no file of memlab's own begins with one.
    if isinstance(row, dict) and isinstance(row.get("type"), str):
        return "a log of an agent's session"
    return None


def _shown(path: str | Path) -> str:
    return printable(str(path))
