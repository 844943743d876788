"""When rows were written: by which of its two times a bank can be turned back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Literal

from ...errors import InputError
from ...text.dates import parse_millis

__all__ = ["Clock", "check_clock", "chosen_clock", "with_millis"]

Clock = Literal["created_at", "timestamp"]


def check_clock(by: object) -> None:
    """Raise InputError for what is no :data:`Clock`; None is the bank's own choice."""
    if by not in (None, "created_at", "timestamp"):
        raise InputError(f"by={by!r}: it is 'created_at' or 'timestamp'.")


def with_millis(connection: sqlite3.Connection) -> None:
    """Give a connection the function ``millis(text)``: an instant in milliseconds, or NULL."""

    def millis(value: object) -> float | None:
        return parse_millis(value) if isinstance(value, str) else None

    convert: Callable[[object], float | None] = millis
    connection.create_function("millis", 1, convert, deterministic=True)


def chosen_clock(connection: sqlite3.Connection) -> tuple[Clock, str]:
    """Return the column that says when rows were written, and why.

    SQLite stamps ``created_at`` when a row is inserted; ``timestamp`` is the
    time a memory is about, and moves when it is said again. Only where every
    row was inserted after the last time of any (an import, a simulation) does
    ``created_at`` say nothing.
    """
    first, last = connection.execute(
        "SELECT min(millis(created_at)), max(millis(timestamp)) FROM working_memory"
    ).fetchone()
    if first is not None and last is not None and first > last:
        return "timestamp", (
            "all rows were inserted in one go, after the last memory was made: their timestamp "
            "tells when they were written, not created_at"
        )
    return "created_at", "created_at tells when a row was written; timestamp where it is missing"
