"""Copies of banks, by SQLite's backup."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ...errors import BankUnreadable, InputError
from ..snapshot import Snapshot
from .opening import write_errors

__all__ = ["copy_snapshot", "new_file"]


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Claim a path for a new file, and remove it again if the work fails.

    Raises InputError where something is there already: nothing is overwritten;
    BankUnreadable where no file can be made.
    """
    try:
        if path.exists() or path.is_symlink():
            raise InputError(
                f"{path} exists already, and memlab overwrites no file. "
                "Choose another path, or remove it first."
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("xb").close()
    except OSError as error:
        raise BankUnreadable(
            f"{path} cannot be made: {error.strerror or error}. Choose another path."
        ) from error
    try:
        yield path
    except BaseException:
        for suffix in ("", "-journal", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        raise


def copy_snapshot(snapshot: Snapshot, path: Path) -> Path:
    """Write a snapshot to a new file: one file, with no journal beside it."""
    with write_errors(path), new_file(path), closing(sqlite3.connect(path)) as copy:
        snapshot.connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    return path
