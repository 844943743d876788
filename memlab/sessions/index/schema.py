"""The tables of an index, and how to tell an index of ours from anything else.

Texts that are no well-formed Unicode (agents cut inside an emoji) are stored as bytes.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

__all__ = [
    "APPLICATION",
    "FIELDS",
    "VERSION",
    "create",
    "kind_of_file",
    "loaded",
    "stored",
    "whole_size",
]

APPLICATION = 0x6D6C7331  # "mls1"
VERSION = 1
FIELDS = ("text", "thinking", "tool_input", "tool_result", "meta")
"""The fields of a document, in the order in which a hit is looked for."""

HASH_BYTES, PAGE_BYTES, NEVER = 16 * 1024 * 1024, 16 * 1024, 1000
_APPLICATION_AT, _HEADER = 68, 100
_SQLITE = b"SQLite format 3\0"
_COLUMNS = ", ".join(FIELDS)

_TABLES = f"""
CREATE TABLE settings(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files(
    id INTEGER PRIMARY KEY, path UNIQUE NOT NULL, size INTEGER, mtime_ns INTEGER,
    session NOT NULL, title, session_id, agent TEXT, cwd, project,
    is_subagent INTEGER NOT NULL DEFAULT 0, problems INTEGER NOT NULL DEFAULT 0,
    is_held INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE docs(
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, number INTEGER UNIQUE, line INTEGER NOT NULL,
    entry, role, time REAL NOT NULL, active INTEGER NOT NULL, title, {_COLUMNS}
);
CREATE INDEX docs_of_file ON docs(file);
CREATE TABLE shaped(id INTEGER PRIMARY KEY, {_COLUMNS}, lowered);
CREATE TABLE postings(
    term TEXT NOT NULL, segment INTEGER NOT NULL, numbers BLOB NOT NULL,
    PRIMARY KEY(term, segment)
) WITHOUT ROWID;
CREATE TABLE segments(segment INTEGER PRIMARY KEY);
CREATE VIRTUAL TABLE words USING fts5(
    {_COLUMNS}, content='',
    tokenize="unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
);
CREATE VIRTUAL TABLE grams USING fts5(
    text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1'
);
"""


def tune(connection: sqlite3.Connection, *, bulk: bool) -> None:
    """Put off merging while everything is written for the first time; then do it bit by bit.

    Merging many segments at once (``crisismerge``) would make one small change take seconds.
    """
    for table in ("words", "grams"):
        for name, value in (("automerge", 0 if bulk else 4), ("crisismerge", NEVER)):
            connection.execute(f"INSERT INTO {table}({table}, rank) VALUES(?, ?)", (name, value))


def create(connection: sqlite3.Connection) -> None:
    """Make the tables of an empty index."""
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.executescript(_TABLES)
    for table in ("words", "grams"):
        # Postings are gathered in memory before they are written: fewer merges.
        connection.execute(
            f"INSERT INTO {table}({table}, rank) VALUES('hashsize', ?)", (HASH_BYTES,)
        )
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def whole_size(path: Path) -> int:
    """Return how many bytes an index should have, by its own header."""
    with path.open("rb") as file:
        head = file.read(_HEADER)
    page = int.from_bytes(head[16:18], "big")
    return (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")


def kind_of_file(path: Path) -> str:
    """Tell what is at a path: none, ours, database (somebody else's), special or other.

    A device or a pipe is special, and never opened.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        return "special"
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER)
    except FileNotFoundError:
        return "none"
    if not head:
        return "none"
    if not head.startswith(_SQLITE):
        return "other"
    mark = int.from_bytes(head[_APPLICATION_AT : _APPLICATION_AT + 4], "big")
    return "ours" if mark == APPLICATION else "database"


def stored(text: str | None) -> str | bytes | None:
    """Return what is put into the database for a text."""
    if text is None or text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def loaded(value: str | bytes | None) -> str | None:
    """Undo ``stored``."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
