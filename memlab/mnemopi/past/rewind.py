"""Turning a private copy of a bank back to an earlier time, and saying what cannot be known."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from ...text.dates import parse_millis
from .written import Clock

__all__ = ["rewind"]

# Words of time, in the order in which they are asked.
_BY = {
    "created_at": "COALESCE(millis(created_at), millis(timestamp))",
    "timestamp": "COALESCE(millis(timestamp), millis(created_at))",
}
_TIERS = ("working_memory", "episodic_memory")


@dataclass(frozen=True)
class _Past:
    connection: sqlite3.Connection
    millis: float
    by: Clock

    def count(self, sql: str, *params: object) -> int:
        return int(self.connection.execute(sql, params).fetchone()[0])

    def change(self, sql: str, *params: object) -> int:
        return self.connection.execute(sql, params).rowcount


def rewind(connection: sqlite3.Connection, moment: str, by: Clock) -> list[str]:
    """Make a copy what the bank was at a moment, as far as its rows tell; return the notes.

    Rows written later go, and with them their part in the full-text
    statistics; what was superseded, said again or shortened later is undone
    as far as it can be. Each thing that cannot be known is a note.
    """
    past = _Past(connection, parse_millis(moment) or 0.0, by)
    notes = [*_gone(past)]  # traces are counted before rows are taken away
    notes += _removed(past)
    notes += _said_again(past)
    notes += _superseded(past)
    notes += _shortened(past)
    notes += _vectors(past)
    connection.commit()
    return [note for note in notes if note]


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}" if count else ""


def _removed(past: _Past) -> list[str]:
    """Take away rows that did not exist yet; the triggers keep full text in step."""
    undated = sum(
        past.count(f"SELECT count(*) FROM {table} WHERE {_BY[past.by]} IS NULL") for table in _TIERS
    )
    past.connection.execute("CREATE TEMP TABLE later (id)")
    for table in _TIERS:
        past.change(
            f"INSERT INTO later SELECT id FROM {table} WHERE {_BY[past.by]} > ?", past.millis
        )
    for table in (*_TIERS, "facts"):
        past.change(f"DELETE FROM {table} WHERE {_BY[past.by]} > ?", past.millis)
    return [
        _many(
            undated,
            "memory has no readable time; it is kept",
            "memories have no readable time; they are kept",
        )
    ]


def _gone(past: _Past) -> list[str]:
    """Count what was deleted since, by what still names it and by gaps in the row numbers."""
    missing = (
        "NOT EXISTS (SELECT 1 FROM working_memory AS w WHERE w.id = {0})"
        " AND NOT EXISTS (SELECT 1 FROM episodic_memory AS e WHERE e.id = {0})"
    )
    named: set[str] = set()
    for (listed,) in past.connection.execute(
        "SELECT summary_of FROM episodic_memory WHERE summary_of <> ''"
    ):
        named |= {part.strip() for part in str(listed).split(",") if part.strip()}
    known = {
        str(key)
        for table in _TIERS
        for (key,) in past.connection.execute(f"SELECT id FROM {table}")
    }
    lost = named - known
    notes = [
        _many(
            len(lost),
            "memory is named by a summary and no longer there",
            "memories are named by summaries and no longer there",
        )
    ]
    for table, column, what in (
        ("facts", "source_msg_id", "facts come"),
        ("memory_embeddings", "memory_id", "vectors are"),
        ("annotations", "memory_id", "notes are"),
    ):
        if _has(past, table):
            condition = missing.format(f"{table}.{column}")
            count = past.count(
                f"SELECT count(*) FROM {table} WHERE {column} IS NOT NULL AND {condition}"
            )
            notes.append(f"{count} {what} from memories that are no longer there" if count else "")
    return [*notes, _gaps(past)]


def _has(past: _Past, table: str) -> bool:
    return bool(past.count("SELECT count(*) FROM sqlite_master WHERE name = ?", table))


def _gaps(past: _Past) -> str:
    """Count row numbers below the last one of then that no row has any more."""
    missing = 0
    for table in _TIERS:
        last = past.connection.execute(
            f"SELECT max(rowid) FROM {table} WHERE {_BY[past.by]} <= ?", (past.millis,)
        ).fetchone()[0]
        if last is not None:
            missing += last - past.count(f"SELECT count(*) FROM {table} WHERE rowid <= ?", last)
    return _many(
        missing,
        "row number is free: a memory was deleted, and may have been there then",
        "row numbers are free: memories were deleted, and may have been there then",
    )


def _said_again(past: _Past) -> list[str]:
    """A text that is retained again renews its row; the earlier time is that of writing."""
    if past.by == "timestamp":
        return []
    count = past.change(
        "UPDATE working_memory SET timestamp = strftime('%Y-%m-%dT%H:%M:%S.000Z', created_at)"
        " WHERE millis(timestamp) > ?1 AND millis(created_at) <= ?1",
        past.millis,
    )
    return [
        _many(
            count,
            "memory was said again since: its time is that of its writing, its source, type and "
            "importance are the later ones",
            "memories were said again since: their times are those of their writing, their "
            "sources, types and importance the later ones",
        )
    ]


def _superseded(past: _Past) -> list[str]:
    """An invalidation writes its own time into valid_until, over whatever stood there."""
    undone = unknown = 0
    for table in _TIERS:
        undone += past.change(
            f"UPDATE {table} SET superseded_by = NULL, valid_until = NULL"
            " WHERE superseded_by IS NOT NULL AND millis(valid_until) > ?",
            past.millis,
        )
        undone += past.change(
            f"UPDATE {table} SET superseded_by = NULL"
            " WHERE valid_until IS NULL AND superseded_by IN (SELECT id FROM later)"
        )
        unknown += past.count(
            f"SELECT count(*) FROM {table} WHERE superseded_by IS NOT NULL AND valid_until IS NULL"
        )
    past.change(
        "UPDATE working_memory SET consolidated_at = NULL WHERE millis(consolidated_at) > ?",
        past.millis,
    )
    return [
        _many(
            undone,
            "memory was superseded since: it is valid, and an earlier limit of its validity is lost",
            "memories were superseded since: they are valid, and earlier limits of their validity "
            "are lost",
        ),
        _many(
            unknown,
            "memory is superseded without a time; it is left so",
            "memories are superseded without a time; they are left so",
        ),
    ]


def _shortened(past: _Past) -> list[str]:
    """Old summaries are cut down to 800 and then 300 characters; the longer text is gone."""
    count = past.change(
        "UPDATE episodic_memory SET tier = max(1, tier - 1), degraded_at = NULL"
        " WHERE tier > 1 AND millis(degraded_at) > ?",
        past.millis,
    )
    return [
        _many(
            count,
            "summary was shortened since: its longer text is lost, its tier is one step younger",
            "summaries were shortened since: their longer texts are lost, their tiers one step "
            "younger",
        )
    ]


def _vectors(past: _Past) -> list[str]:
    """Vectors of rows that are there, unless they were made later."""
    past.change(
        "DELETE FROM memory_embeddings WHERE memory_id NOT IN (SELECT id FROM working_memory"
        " UNION ALL SELECT id FROM episodic_memory)"
    )
    if past.by == "timestamp":
        return []
    count = past.change("DELETE FROM memory_embeddings WHERE millis(created_at) > ?", past.millis)
    return [
        _many(
            count,
            "vector was made later; an earlier one, if there was any, is lost",
            "vectors were made later; earlier ones, if there were any, are lost",
        )
    ]
