"""What is left to do when the story is told, so that a bank is the same each time it is made."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from .asking import Bank, Call

# The engine lets SQLite stamp these rows with the real clock.
_STAMPS = (
    "UPDATE facts SET created_at = strftime('%Y-%m-%d %H:%M:%S', timestamp)",
    "UPDATE gists SET created_at = strftime('%Y-%m-%d %H:%M:%S', timestamp)",
    "UPDATE graph_edges SET created_at = strftime('%Y-%m-%d %H:%M:%S', timestamp)",
    "UPDATE triples SET created_at = strftime('%Y-%m-%d %H:%M:%S', valid_from)",
    "UPDATE annotations SET created_at = w.created_at FROM working_memory AS w WHERE w.id = memory_id",
)

_INDEXES = ("fts_working", "fts_episodes", "fts_facts")


def settle(call: Call, bank: Bank, now: str) -> None:
    """Stamp the rows with the time of the story and put the edges into a fixed order."""
    tables = {
        row["name"]
        for row in bank.sql(call, now, "SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    for statement in _STAMPS:
        if statement.split()[1] in tables:
            bank.sql(call, now, statement)
    if "graph_edges" in tables:
        _order_edges(call, bank, now)
    for index in _INDEXES:
        bank.sql(call, now, f"INSERT INTO {index}({index}) VALUES ('optimize')")


def _order_edges(call: Call, bank: Bank, now: str) -> None:
    """Edges between summaries of one night come in the order of their former random ids."""
    columns = "source, target, edge_type, weight, timestamp, created_at"
    order = "timestamp, source, target, edge_type"
    rows = bank.sql(call, now, f"SELECT {columns} FROM graph_edges ORDER BY {order}")
    bank.sql(call, now, "DELETE FROM graph_edges")
    for place, row in enumerate(rows, start=1):
        sql = f"INSERT INTO graph_edges(id, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        bank.sql(call, now, sql, place, *row.values())
    sql = "UPDATE sqlite_sequence SET seq = ? WHERE name = 'graph_edges'"
    bank.sql(call, now, sql, len(rows))


def seal(bank: Bank) -> None:
    """Fold the write-ahead log into the file and leave nothing beside it."""
    with closing(sqlite3.connect(bank.file, isolation_level=None)) as db:
        before = _rowids(db)
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("VACUUM")
        if _rowids(db) != before:  # the full-text tables point at rows by number
            raise ValueError(f"{bank.file}: VACUUM has renumbered rows")


def _rowids(db: sqlite3.Connection) -> list[list[tuple[int, str]]]:
    return [
        db.execute("SELECT rowid, id FROM working_memory ORDER BY rowid").fetchall(),
        db.execute("SELECT rowid, fact_id FROM facts ORDER BY rowid").fetchall(),
    ]
