"""A bank as plain values: every table, so that two banks can be compared."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

__all__ = ["contents", "full_text", "schema"]

# What SQLite's full text keeps for itself; what it answers is compared instead.
_INNER = re.compile(r"fts_(working|episodes|facts)(_data|_idx|_docsize|_config|_content)?$")
_STAMPS = ("created_at",)


def _names(db: sqlite3.Connection) -> list[str]:
    rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [name for (name,) in rows if not _INNER.match(name)]


def contents(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, in row order; when a row was made is left out."""
    with closing(sqlite3.connect(path)) as db:
        found = {}
        for name in _names(db):
            cursor = db.execute(f'SELECT rowid AS "rowid", * FROM "{name}" ORDER BY rowid')
            columns = [column[0] for column in cursor.description]
            found[name] = [
                {k: v for k, v in zip(columns, row, strict=True) if k not in _STAMPS}
                for row in cursor
            ]
    found.pop("sqlite_stat1", None)
    return found


def full_text(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every word of the full-text tables with the rows it stands in; SQLite checks them too."""
    found = {}
    with closing(sqlite3.connect(path)) as db:
        for name in ("fts_working", "fts_episodes", "fts_facts"):
            db.execute(f"INSERT INTO {name}({name}) VALUES ('integrity-check')")
            db.execute(f"CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, {name}, instance)")
            found[name] = sorted(db.execute("SELECT term, doc, col, offset FROM temp.words"))
            db.execute("DROP TABLE temp.words")
        # fts_working counts its rows on its own: the ids say which they are.
        ids = dict(db.execute("SELECT rowid, id FROM fts_working"))
        found["fts_working"] = sorted(
            (term, ids[doc], *rest) for term, doc, *rest in found["fts_working"]
        )
    return found


def schema(path: Path) -> dict[str, str]:
    """Every table, index and trigger with its definition, blanks and letter case apart."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        found = {str(name): _plain(str(sql)) for name, sql in rows}
    return {
        name: sql
        for name, sql in found.items()
        if not re.search(r"_(data|idx|docsize|config|content)$", name)
    }


def _plain(sql: str) -> str:
    return re.sub(r"\s+", "", sql.replace("IF NOT EXISTS", "")).lower()
