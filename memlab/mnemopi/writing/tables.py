"""The tables, triggers and indexes that a bank needs before anything is written to it.

The names and columns are the engine's, so that it finds what it expects; what
recall and edits never touch (its scratchpad, its log) it adds by itself when it
opens the bank. Everything is made only where it is missing.
"""

from __future__ import annotations

import sqlite3

from ..schema import FULL_TEXT, TABLES, columns_of, complete, tables_of

__all__ = ["PROJECTIONS", "prepare"]

_KEY = "INTEGER PRIMARY KEY AUTOINCREMENT"
_STAMP = "TIMESTAMP DEFAULT CURRENT_TIMESTAMP"
_SESSION = "session_id TEXT DEFAULT 'default'"
_SOURCE = "source_memory_id TEXT"

PROJECTIONS = (
    "memoria_facts", "memoria_instructions", "memoria_kg", "memoria_preferences",
    "memoria_timelines",
)  # fmt: skip
"""Tables that an extractor fills; their rows name the memory they came from."""

_OTHERS = {
    "annotations": f"id {_KEY}, memory_id TEXT NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL,"
    f" source TEXT, confidence REAL DEFAULT 1.0, created_at {_STAMP}",
    "memoria_facts": f"id {_KEY}, {_SESSION}, message_idx INTEGER, fact_type TEXT, key TEXT,"
    " value TEXT, context_snippet TEXT, importance REAL DEFAULT 0.5, timestamp TEXT,"
    " version_id INTEGER DEFAULT 0, previous_value TEXT, updated_msg_idx INTEGER,"
    f" valid_from_msg_idx INTEGER, valid_to_msg_idx INTEGER, {_SOURCE}",
    "memoria_instructions": f"id {_KEY}, {_SESSION}, message_idx INTEGER, instruction TEXT,"
    f" active INTEGER DEFAULT 1, topic TEXT, context_snippet TEXT, {_SOURCE}",
    "memoria_kg": f"id {_KEY}, {_SESSION}, subject TEXT, predicate TEXT, object TEXT,"
    f" message_idx INTEGER, confidence REAL DEFAULT 0.7, {_SOURCE}",
    "memoria_preferences": f"id {_KEY}, {_SESSION}, message_idx INTEGER, preference TEXT,"
    f" topic TEXT, evolution TEXT, context_snippet TEXT, {_SOURCE}",
    "memoria_timelines": f"event_id {_KEY}, {_SESSION}, date TEXT, message_idx INTEGER,"
    f" description TEXT, source TEXT, {_SOURCE}",
    "gists": "id TEXT PRIMARY KEY, text TEXT NOT NULL, timestamp TEXT, participants_json TEXT,"
    f" location TEXT, emotion TEXT, time_scope TEXT, memory_id TEXT, created_at {_STAMP}",
    "graph_edges": f"id {_KEY}, source TEXT NOT NULL, target TEXT NOT NULL,"
    f" edge_type TEXT NOT NULL, weight REAL DEFAULT 1.0, timestamp TEXT, created_at {_STAMP},"
    " UNIQUE(source, target, edge_type)",
}  # fmt: skip

_UNIQUE_ANNOTATIONS = (
    "CREATE UNIQUE INDEX IF NOT EXISTS idx_annot_unique ON annotations(memory_id, kind, value)"
)
_INDEXED = "COALESCE(new.embed_text, new.content)"
_TRIGGERS = {
    "wm_ai": "AFTER INSERT ON working_memory BEGIN"
    f" INSERT INTO fts_working(id, content) VALUES (new.id, {_INDEXED}); END",
    "wm_ad": "AFTER DELETE ON working_memory BEGIN"
    " DELETE FROM fts_working WHERE id = old.id; END",
    "wm_au": "AFTER UPDATE OF content, embed_text ON working_memory BEGIN"
    " DELETE FROM fts_working WHERE id = old.id;"
    f" INSERT INTO fts_working(id, content) VALUES (new.id, {_INDEXED}); END",
    "em_ai": "AFTER INSERT ON episodic_memory BEGIN"
    " INSERT INTO fts_episodes(rowid, content) VALUES (new.rowid, new.content); END",
    "em_ad": "AFTER DELETE ON episodic_memory BEGIN INSERT INTO"
    " fts_episodes(fts_episodes, rowid, content) VALUES ('delete', old.rowid, old.content); END",
    "em_au": "AFTER UPDATE ON episodic_memory BEGIN INSERT INTO"
    " fts_episodes(fts_episodes, rowid, content) VALUES ('delete', old.rowid, old.content);"
    " INSERT INTO fts_episodes(rowid, content) VALUES (new.rowid, new.content); END",
    "facts_ai": "AFTER INSERT ON facts BEGIN"
    " INSERT INTO fts_facts(rowid, subject, predicate, object)"
    " VALUES (new.rowid, new.subject, new.predicate, new.object); END",
    "facts_ad": "AFTER DELETE ON facts BEGIN"
    " INSERT INTO fts_facts(fts_facts, rowid, subject, predicate, object)"
    " VALUES ('delete', old.rowid, old.subject, old.predicate, old.object); END",
}  # fmt: skip


def prepare(connection: sqlite3.Connection) -> None:
    """Make what is missing, inside the caller's transaction; what is there stays as it is."""
    if not TABLES.keys() <= tables_of(connection) or _lacks_columns(connection):
        complete(connection)
    for table, body in _OTHERS.items():
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({body})")
    for table, body in FULL_TEXT.items():
        connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {table} USING fts5({body})")
    for name, body in _TRIGGERS.items():
        connection.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {body}")
    connection.execute(_UNIQUE_ANNOTATIONS)


def _lacks_columns(connection: sqlite3.Connection) -> bool:
    return any(
        columns.keys() - columns_of(connection, table) - {"rowid"}
        for table, columns in TABLES.items()
    )
