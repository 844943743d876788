"""Reading a bank's file without touching it: a consistent copy in memory.

Three cases, so that nothing is ever written beside somebody's bank:

* A process may be using it (``-shm`` exists), or it keeps a rollback journal:
  a read-only connection, SQLite's own backup, and the connection is closed, so
  no read transaction stays behind.
* It is in WAL mode and nobody has it open (no ``-shm``): even a read-only
  connection would leave ``-wal`` and ``-shm`` files there. The database and its
  ``-wal`` are read together and must not change meanwhile.

All errors of SQLite and of the file system are mapped here, once.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from difflib import get_close_matches
from pathlib import Path

from ..errors import (
    BankDamaged,
    BankEncrypted,
    BankError,
    BankLocked,
    BankNotFound,
    BankUnreadable,
    NotABank,
)
from .schema import tables_of

__all__ = ["DATABASE", "WAL_VERSION", "check_file", "mapped_errors", "memory_copy", "signature"]

DATABASE = "mnemopi.db"
_MAGIC = b"SQLite format 3\0"
WAL_VERSION = 2
"""The format version in the header of a database in WAL mode."""
_TRIES = 3


def memory_copy(path: Path, wait: float) -> sqlite3.Connection:
    """Return a consistent copy of a bank's database, in memory.

    ``wait`` is how long to wait for a lock, in seconds. Raises an error of the
    BankError family for anything that is not a readable bank.
    """
    header = check_file(path)
    with mapped_errors(path):
        copy = sqlite3.connect(":memory:", check_same_thread=False)
        # The engine's runtime reads broken UTF-8 with replacement characters.
        copy.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            _fill(copy, path, wal_mode=header[18] == WAL_VERSION, wait=wait)
            _check_content(copy, path)
        except BaseException:
            copy.close()
            raise
    return copy


def check_file(path: Path) -> bytes:
    """Return the header of a database file, or raise what is wrong with the path."""
    with mapped_errors(path):
        if not path.exists():
            raise BankNotFound(f"No bank at {path}. {_hint(path)}")
        if path.is_dir():
            inside = path / DATABASE
            hint = (
                f"Did you mean {inside}?"
                if inside.exists()
                else f"Give the {DATABASE} file itself."
            )
            raise NotABank(f"{path} is a directory, not a bank file. {hint}")
        if not path.is_file():
            raise NotABank(f"{path} is not a regular file, so it cannot be a bank.")
        with path.open("rb") as file:
            header = file.read(100)
    if not header:
        raise NotABank(f"{path} is an empty file. A bank is an SQLite database; check the path.")
    if not header.startswith(_MAGIC):
        raise _not_sqlite(path, header)
    if len(header) < 100:
        raise BankDamaged(f"{path} ends inside its header ({len(header)} bytes). {_RESTORE}")
    return header


_RESTORE = (
    "Restore it from a backup, or save what can be read with the sqlite3 program: "
    "sqlite3 BANK .recover"
)


def _hint(path: Path) -> str:
    parent = path.parent
    if not parent.exists():
        return f"The folder {parent} does not exist either."
    near = get_close_matches(path.name, [entry.name for entry in parent.iterdir()], n=1)
    return f"Did you mean {parent / near[0]}?" if near else "Check the path."


def _not_sqlite(path: Path, header: bytes) -> BankError:
    try:
        header.decode("utf-8")
        is_text = b"\0" not in header
    except UnicodeDecodeError as error:
        is_text = error.start > len(header) - 4 and b"\0" not in header
    if is_text:
        return NotABank(f"{path} is a text file, not an SQLite database. Check the path.")
    return BankEncrypted(
        f"{path} does not begin like an SQLite database. It is encrypted or something else; "
        "memlab reads unencrypted banks only. Decrypt a copy and open that."
    )


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def signature(path: Path) -> tuple[object, ...]:
    """Return what changes when anybody writes to the bank or opens it."""

    def stamp(file: Path) -> object:
        if not file.exists():
            return None
        stat = file.stat()
        return (stat.st_ino, stat.st_size, stat.st_mtime_ns)

    with mapped_errors(path):
        if not path.name:  # a folder such as "." or "/", beside which nothing can lie
            return (None, None, False)
        return (stamp(path), stamp(_beside(path, "-wal")), _beside(path, "-shm").exists())


def _fill(copy: sqlite3.Connection, path: Path, *, wal_mode: bool, wait: float) -> None:
    if wal_mode:
        for _ in range(_TRIES):
            before = signature(path)
            if before[2]:
                break
            with tempfile.TemporaryDirectory(prefix="memlab-") as folder:
                private = Path(folder) / "bank.db"
                shutil.copyfile(path, private)
                if before[1] is not None:
                    shutil.copyfile(_beside(path, "-wal"), _beside(private, "-wal"))
                if signature(path) == before:
                    with closing(sqlite3.connect(private)) as source:
                        source.backup(copy)
                    return
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=wait, isolation_level=None)) as source:
        source.execute("PRAGMA query_only = 1")
        # The backup alone would wait for a lock for ever; a first read waits only so long.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(copy)
        source.execute("ROLLBACK")


def _check_content(copy: sqlite3.Connection, path: Path) -> None:
    problems = [str(row[0]) for row in copy.execute("PRAGMA quick_check(3)")]
    if problems != ["ok"]:
        said = "; ".join(" ".join(one.split()) for one in problems)
        raise BankDamaged(f"{path} is damaged: {said}. {_RESTORE}")
    tables = tables_of(copy)
    if not tables & {"working_memory", "episodic_memory"}:
        found = ", ".join(sorted(tables)[:8]) or "none"
        raise NotABank(
            f"{path} is an SQLite database, but not a Mnemopi bank: "
            f"it has no table working_memory or episodic_memory (tables: {found})."
        )


@contextmanager
def mapped_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the file system into memlab's own."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _mapped(path, error) from error
    except UnicodeDecodeError as error:
        # Python reads SQLite's messages as UTF-8, and a damaged schema is quoted in them.
        raise BankDamaged(f"{path} cannot be read: its schema is damaged. {_RESTORE}") from error
    except PermissionError as error:
        raise BankUnreadable(f"No permission to read {path} ({error.strerror}).") from error
    except OSError as error:
        raise BankUnreadable(f"Cannot read {path}: {error.strerror or error}.") from error


def _mapped(path: Path, error: sqlite3.DatabaseError) -> BankError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return BankLocked(
            f"{path} is locked by another process ({text}). Wait for it to finish, "
            "or give a longer time to wait: Mnemopi(path, wait=30)."
        )
    if "not a database" in text or "encrypted" in text:
        return BankEncrypted(
            f"{path} cannot be read as a database ({text}): it is encrypted or damaged. "
            "Decrypt a copy and open that, or restore it from a backup."
        )
    if "no such module: fts5" in text:
        return BankUnreadable(
            f"{path} needs SQLite with FTS5, which this Python lacks (SQLite {sqlite3.sqlite_version})."
        )
    if "unable to open" in text or "readonly" in text:
        return BankUnreadable(
            f"{path} cannot be opened for reading ({text}). If an interrupted write left a "
            "journal beside it, let the agent open the bank once, then try again."
        )
    return BankDamaged(f"{path} cannot be read: {text}. {_RESTORE}")
