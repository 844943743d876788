"""The file of an index: made beside its place and moved there whole; never over anything else."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ...errors import FormatError
from .schema import VERSION, create, kind_of_file, whole_size

__all__ = ["MEMORY", "MISSING", "connect", "fit_for_use", "index_errors", "make"]

MEMORY = ":memory:"
MISSING = "there was none"
_BUSY_SECONDS = 10.0
_CACHE_KIB = 64 * 1024
_CHECKED_BYTES = 32 * 1024 * 1024
"""Files up to this size are checked whole when they are opened: a tenth of a second."""

_NOT_OURS = {
    "database": "a database, but no index of session logs",
    "special": "no file that could be an index",
}


def connect(path: str) -> sqlite3.Connection:
    """Open a database for reading and writing; transactions are begun by hand."""
    connection = sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    return connection


def fit_for_use(path: Path) -> str | None:
    """Return why an index cannot be used as it is, or None if it can.

    Raises FormatError if at the path is a database of somebody else or no file at all, if
    it cannot be opened, or if another process keeps it locked.
    """
    try:
        kind = kind_of_file(path)
    except OSError as error:
        raise FormatError(f"The index {path} cannot be opened: {error.strerror}.") from error
    if kind in _NOT_OURS:
        raise FormatError(
            f"{path} is {_NOT_OURS[kind]}; it was left alone. Give another path for the index."
        )
    if kind == "none":
        return MISSING
    if kind == "other":
        return "the file is no database"
    with index_errors(path):
        try:
            with closing(connect(str(path))) as connection:
                connection.execute("BEGIN")  # nobody is in the midst of writing meanwhile
                return _fault(connection, path)
        except sqlite3.DatabaseError as error:
            if is_locked(error):
                raise
            return _cut(path) or f"it is damaged ({error})"


def _cut(path: Path) -> str | None:
    size, wanted = path.stat().st_size, whole_size(path)
    return f"it is cut short ({size:,} of {wanted:,} bytes)" if size < wanted else None


def _fault(connection: sqlite3.Connection, path: Path) -> str | None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        return f"it was made by another version ({version}; this one makes {VERSION})"
    connection.execute("SELECT 1 FROM settings, files, docs, shaped, postings, segments LIMIT 0")
    cut = _cut(path)
    if cut or path.stat().st_size > _CHECKED_BYTES:
        return cut
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return None if verdict == "ok" else f"it is damaged ({verdict})"


def is_locked(error: sqlite3.Error) -> bool:
    """Tell whether another process has the index, and nothing is wrong with it."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def index_errors(path: str | Path) -> Iterator[None]:
    """Make a FormatError of what SQLite says of an index."""
    try:
        yield
    except sqlite3.Error as error:
        if is_locked(error):
            raise FormatError(
                f"The index {path} is in use: another process has been writing into it for more "
                f"than {_BUSY_SECONDS:.0f} seconds. Try again when that is done."
            ) from error
        raise FormatError(
            f"The index {path} cannot be used: {error}. Build it anew; that only reads the logs."
        ) from error


def _set_aside(path: Path) -> None:
    """Move a file that is no database out of the way; nothing of it is lost."""
    if kind_of_file(path) != "other":
        return
    number = 1
    while (aside := path.with_name(f"{path.name}.not-an-index-{number}")).exists():
        number += 1
    path.rename(aside)


def make(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make an index at a path: filled beside it, then moved there whole.

    If filling fails, what was there before stays. A file that is no database is renamed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.making-{os.getpid()}")
    draft.unlink(missing_ok=True)
    try:
        with closing(connect(str(draft))) as connection:
            # A draft that breaks is thrown away, so it needs no journal.
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            create(connection)
            fill(connection)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        _set_aside(path)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
