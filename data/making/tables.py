"""Whether two banks hold the same, table by table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]


def read_tables(file: Path) -> dict[str, list[Row]]:
    """Every row of every table, in the order of the row numbers, and the schema itself.

    The inner tables of the full-text indexes are left out: how SQLite stores
    them may differ between its versions. The indexes themselves are read.
    """
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
        schema = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
        virtual = {name for _, name, sql in schema if "VIRTUAL TABLE" in (sql or "")}
        inner = tuple(f"{name}_" for name in virtual)
        names = [name for kind, name, _ in schema if kind == "table" and not name.startswith(inner)]
        tables = {
            name: db.execute(f'SELECT rowid, * FROM "{name}" ORDER BY rowid').fetchall()
            for name in names
        }
    return {"schema": schema, **tables}


def differences(old: Path, new: Path) -> list[str]:
    """Readable differences between two banks; an empty list where they hold the same."""
    before, after = read_tables(old), read_tables(new)
    found: list[str] = []
    for name in sorted(before.keys() | after.keys()):
        gone = [row for row in before.get(name, []) if row not in after.get(name, [])]
        come = [row for row in after.get(name, []) if row not in before.get(name, [])]
        found += [f"- {name}: {row}" for row in gone] + [f"+ {name}: {row}" for row in come]
        if not gone and not come and before.get(name) != after.get(name):
            found.append(f"~ {name}: the same rows in another order or number")
    return found


def damage(file: Path) -> list[str]:
    """What SQLite itself finds wrong with a bank and its full-text indexes.

    The checks of the indexes are written as inserts, so hand in a copy.
    """
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        found = [text for (text,) in db.execute("PRAGMA integrity_check") if text != "ok"]
        for index in ("fts_working", "fts_episodes", "fts_facts"):
            try:
                db.execute(f"INSERT INTO {index}({index}, rank) VALUES ('integrity-check', 1)")
            except sqlite3.DatabaseError as error:
                found.append(f"{index}: {error}")
    return found
