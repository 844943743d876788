"""One question to a bank's file, without copying it and without leaving a trace beside it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ...errors import BankLocked
from ..files import WAL_VERSION, check_file, mapped_errors, signature

__all__ = ["peek"]

_TRIES = 3
_WAIT = 1.0


def peek(path: Path, sql: str, params: Sequence[Any]) -> Sequence[Any]:
    """Return the first row of a query.

    A file in WAL mode that nobody has open is read as it lies on the disk, for
    even a read-only connection would leave files beside it; where it has a
    ``-wal``, a private copy is asked. Raises an error of the BankError family.
    """
    wal_mode = check_file(path)[18] == WAL_VERSION
    with mapped_errors(path):
        for _ in range(_TRIES):
            before = signature(path)
            in_use = bool(before[2])
            if not wal_mode or in_use:
                return _ask(path, sql, params, "mode=ro")
            row = _at_rest(path, sql, params, has_wal=before[1] is not None)
            if signature(path) == before:
                return row
    raise BankLocked(f"{path} changes while it is read. Wait for the other process to finish.")


def _at_rest(path: Path, sql: str, params: Sequence[Any], *, has_wal: bool) -> Sequence[Any]:
    if not has_wal:
        return _ask(path, sql, params, "mode=ro&immutable=1")
    with tempfile.TemporaryDirectory(prefix="memlab-") as folder:
        private = Path(folder) / "bank.db"
        shutil.copyfile(path, private)
        shutil.copyfile(path.with_name(path.name + "-wal"), private.with_name("bank.db-wal"))
        return _ask(private, sql, params, "mode=rw")


def _ask(path: Path, sql: str, params: Sequence[Any], how: str) -> Sequence[Any]:
    uri = f"{path.absolute().as_uri()}?{how}"
    with closing(sqlite3.connect(uri, uri=True, timeout=_WAIT)) as connection:
        row: Sequence[Any] = connection.execute(sql, params).fetchone()
        return row
