"""A bank's file opened for one write: alone, whole, or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

from ...errors import BankLocked, BankNotFound, BankReadOnly, BankUnreadable, InputError
from ..files import mapped_errors
from .tables import prepare

__all__ = [
    "connect_to_write",
    "is_agents_own",
    "refuse_in_use",
    "refuse_own",
    "refuse_place",
    "write_errors",
    "writing",
]


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn what a write fails on into memlab's own errors; nothing was written then."""
    with mapped_errors(path):
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise InputError(f"{path} does not take this: {error}. Nothing was written.") from error
        except sqlite3.OperationalError as error:
            if "readonly" in str(error):
                raise BankReadOnly(
                    f"{path} cannot be written ({error}): the file or its folder is protected. "
                    "Work on a copy elsewhere: Mnemopi(path).copy('copy.db')."
                ) from error
            if "full" in str(error):
                raise BankUnreadable(
                    f"{path} cannot be written: {error}. Nothing was changed; free some space."
                ) from error
            raise


def connect_to_write(path: Path, wait: float) -> sqlite3.Connection:
    """Open a bank's file that is there: SQLite would make an empty one of a missing one."""
    if not path.exists():
        raise BankNotFound(
            f"{path} is no longer there, so nothing can be written to it. What was read of it is "
            "still at hand: .copy(path) makes a file of that."
        )
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=wait, isolation_level=None)


def is_agents_own(path: Path, own: Path) -> bool:
    """Tell whether a path is one of the agent's banks; ``own`` is its database."""
    target, home = path.resolve(), own.resolve()
    return target == home or home.parent / "banks" in target.parents


def refuse_place(path: Path, own: Path) -> None:
    """Raise BankReadOnly for a new file where the agent keeps its banks."""
    if is_agents_own(path, own):
        raise BankReadOnly(
            f"{path} is where the agent keeps its banks; memlab puts none there. "
            "Choose a path elsewhere."
        )


def refuse_own(path: Path) -> NoReturn:
    """Raise BankReadOnly for one of the agent's own banks."""
    raise BankReadOnly(
        f"{path} is the agent's own bank; memlab does not write to it unasked. Work on a "
        "copy: Mnemopi(path).copy('copy.db'). To edit the agent's bank itself, end the agent "
        "and open it with writable=True, agents_own=True."
    )


def refuse_in_use(path: Path, wait: float) -> None:
    """Raise BankLocked where another process has the bank open.

    Every process that has a bank in WAL mode open keeps a shared lock on the
    file; it is asked for alone, and given back at once.
    """
    with _alone(path, wait):
        pass


@contextmanager
def _alone(path: Path, wait: float) -> Iterator[sqlite3.Connection]:
    with write_errors(path), closing(connect_to_write(path, wait)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise BankLocked(
                f"{path} is open in another process, most likely the agent. End it, then try "
                "again; or work on a copy: Mnemopi(path).copy('copy.db')."
            ) from error
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


@contextmanager
def writing(path: Path, wait: float, *, alone: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a bank for one transaction, with every table the engine expects.

    ``alone`` refuses a bank that another process has open. On an error nothing
    is written. Raises an error of the BankError family.
    """
    if alone:
        with _alone(path, wait) as connection:
            prepare(connection)
            yield connection
        return
    with write_errors(path), closing(connect_to_write(path, wait)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            prepare(connection)
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
