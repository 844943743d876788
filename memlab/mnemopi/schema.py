"""Tables and columns of a Mnemopi database, as far as reading and building need them.

Older databases lack columns that came later; :func:`complete` adds what is
missing to a private copy, with the engine's defaults, so that every reader sees
one schema. It is never called on somebody's own file.
"""

from __future__ import annotations

import sqlite3

__all__ = ["EPISODIC", "FACTS", "FULL_TEXT", "WORKING", "columns_of", "complete", "tables_of"]

_SHARED_TAIL = {
    "recall_count": "INTEGER DEFAULT 0",
    "last_recalled": "TIMESTAMP DEFAULT NULL",
    "valid_until": "TIMESTAMP DEFAULT NULL",
    "superseded_by": "TEXT DEFAULT NULL",
    "scope": "TEXT DEFAULT 'global'",
    "author_id": "TEXT DEFAULT NULL",
    "author_type": "TEXT DEFAULT NULL",
    "channel_id": "TEXT DEFAULT NULL",
    "trust_tier": "TEXT DEFAULT 'STATED'",
    "validator": "TEXT DEFAULT NULL",
    "validated_at": "TIMESTAMP DEFAULT NULL",
    "validation_count": "INTEGER DEFAULT 0",
    "event_date": "TEXT DEFAULT NULL",
    "event_date_precision": "TEXT DEFAULT 'unknown'",
    "temporal_tags": "TEXT DEFAULT '[]'",
    "corrected_by": "INTEGER DEFAULT NULL",
    "created_at": "TIMESTAMP DEFAULT CURRENT_TIMESTAMP",
}
_SHARED_HEAD = {
    "source": "TEXT",
    "timestamp": "TEXT",
    "session_id": "TEXT DEFAULT 'default'",
    "importance": "REAL DEFAULT 0.5",
    "metadata_json": "TEXT",
}
WORKING = {
    "id": "TEXT PRIMARY KEY",
    "content": "TEXT NOT NULL",
    "embed_text": "TEXT DEFAULT NULL",
    **_SHARED_HEAD,
    "veracity": "TEXT DEFAULT 'unknown'",
    "memory_type": "TEXT DEFAULT 'unknown'",
    "consolidated_at": "TEXT",
    **_SHARED_TAIL,
}
EPISODIC = {
    "rowid": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "id": "TEXT UNIQUE NOT NULL",
    "content": "TEXT NOT NULL",
    **_SHARED_HEAD,
    "summary_of": "TEXT DEFAULT ''",
    "veracity": "TEXT DEFAULT 'unknown'",
    "tier": "INTEGER DEFAULT 1",
    "degraded_at": "TEXT",
    "memory_type": "TEXT DEFAULT 'unknown'",
    "binary_vector": "BLOB",
    **_SHARED_TAIL,
}
FACTS = {
    "fact_id": "TEXT PRIMARY KEY",
    "session_id": "TEXT NOT NULL",
    "subject": "TEXT NOT NULL",
    "predicate": "TEXT NOT NULL",
    "object": "TEXT NOT NULL",
    "timestamp": "TEXT",
    "source_msg_id": "TEXT",
    "confidence": "REAL DEFAULT 1.0",
    "created_at": "TIMESTAMP DEFAULT CURRENT_TIMESTAMP",
}
EMBEDDINGS = {
    "memory_id": "TEXT PRIMARY KEY",
    "embedding_json": "TEXT NOT NULL",
    "model": "TEXT",
    "created_at": "TIMESTAMP DEFAULT CURRENT_TIMESTAMP",
}
TABLES = {
    "working_memory": WORKING,
    "episodic_memory": EPISODIC,
    "facts": FACTS,
    "memory_embeddings": EMBEDDINGS,
}
FULL_TEXT = {
    "fts_working": "id UNINDEXED, content",
    "fts_episodes": "content, content='episodic_memory', content_rowid='rowid'",
    "fts_facts": "subject, predicate, object, content='facts'",
}


def tables_of(connection: sqlite3.Connection) -> set[str]:
    """Return the names of all tables of a database."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in rows}


def columns_of(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the names of a table's columns."""
    return {
        str(name)
        for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    }


def complete(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Add the tables and columns that an older database lacks; return what was added.

    Full-text tables that are missing stay empty, as they do when the engine opens such a file.
    Raises an error of SQLite where tables of these names are no such tables at all.
    """
    added: list[str] = []
    present = tables_of(connection)
    for table, columns in TABLES.items():
        if table not in present:
            body = ", ".join(f"{name} {kind}" for name, kind in columns.items())
            connection.execute(f"CREATE TABLE {table} ({body})")
            added.append(table)
            continue
        missing = [
            name for name in columns if name not in columns_of(connection, table) | {"rowid"}
        ]
        for name in missing:
            # ALTER TABLE takes neither a computed default nor NOT NULL without one.
            kind = columns[name].replace(" DEFAULT CURRENT_TIMESTAMP", "").replace(" NOT NULL", "")
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
            added.append(f"{table}.{name}")
    for table, body in FULL_TEXT.items():
        if table not in present:
            connection.execute(f"CREATE VIRTUAL TABLE {table} USING fts5({body})")
            added.append(table)
    for table, columns in TABLES.items():
        connection.execute(
            f"SELECT {', '.join(dict.fromkeys(['rowid', *columns]))} FROM {table} LIMIT 0"
        )
    return tuple(added)
