"""A bank's file opened for one write: alone, whole, or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

from ...errors import BankLocked, BankReadOnly
from ..files import mapped_errors
from .tables import prepare

__all__ = ["is_agents_own", "refuse_in_use", "refuse_own", "refuse_place", "writing"]


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
    with (
        mapped_errors(path),
        closing(sqlite3.connect(path, timeout=wait, isolation_level=None)) as connection,
    ):
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
    with (
        mapped_errors(path),
        closing(sqlite3.connect(path, timeout=wait, isolation_level=None)) as connection,
    ):
        connection.execute("BEGIN IMMEDIATE")
        try:
            prepare(connection)
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
