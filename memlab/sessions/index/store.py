"""The extension's own index file, read: what it would search right now."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FormatError
from ...files import expanded
from ...text.javascript import well_formed
from ..values import mapping, number, text_of, whole
from .extract import session_name
from .location import MEMORY, connect
from .opening import Opened
from .postings import SEGMENT_TYPE
from .schema import create, stored
from .sync import SyncReport, counts

__all__ = ["read_store"]

STORE_VERSION = 2
NUMBERS = range(2**26)
"""Numbers of documents that can be: more would take gigabytes, and no agent got so far."""

_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")
_INTEGERS = range(-(2**63), 2**63)
_FILE = (
    "INSERT INTO files(id, path, size, mtime_ns, session, session_id, agent, is_held) "
    "VALUES(?, ?, ?, ?, ?, ?, 'pi', ?)"
)
_DOC = (
    "INSERT INTO docs(id, file, number, line, role, time, active, title, text) "
    "VALUES(?, ?, ?, ?, ?, ?, 1, ?, ?)"
)


def _data(path: Path) -> Mapping[str, Any] | None:
    """Return the store, or None if the extension would not use it."""
    try:
        data = mapping(json.loads(path.read_bytes().decode("utf-8", "replace")))
    except OSError as error:
        raise FormatError(
            f"The extension's index {path} cannot be read: {error.strerror}."
        ) from error
    except (ValueError, RecursionError):
        return None
    parts = (data.get(name) for name in ("files", "docs", "postings"))
    usable = number(data.get("version")) == STORE_VERSION and whole(data.get("nextId")) in NUMBERS
    return data if usable and all(isinstance(part, dict) for part in parts) else None


class _Filler:
    """Puts the parts of a store into the tables of an index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._files: dict[str, int] = {}

    def _file(self, path: str, session: str, size: int, mtime: float, *, held: bool) -> int:
        if path not in self._files:
            self._files[path] = len(self._files) + 1
            names = (stored(session), stored(session))
            row = (self._files[path], stored(path), size, round(mtime * 1e6), *names, held)
            self._connection.execute(_FILE, row)
        return self._files[path]

    def file(self, path: str, entry: Mapping[str, Any]) -> None:
        """Take a file that the extension remembers as read."""
        size, mtime = whole(entry.get("size")) or 0, number(entry.get("mtimeMs")) or 0.0
        if size not in _INTEGERS or round(mtime * 1e6) not in _INTEGERS:
            size, mtime = 0, 0.0  # it is read again
        self._file(path, session_name(path), size, mtime, held=True)

    def doc(self, key: int, doc: Mapping[str, Any]) -> None:
        """Take a document; one of a file that is not remembered stays for good."""
        path, text = text_of(doc.get("path")) or "", text_of(doc.get("text"))
        if text is None:
            return
        session = text_of(doc.get("session")) or session_name(path)
        file = self._file(path, session, 0, 0.0, held=False)
        words = (stored(text_of(doc.get("role"))), number(doc.get("ts")) or 0.0)
        title = stored(text_of(doc.get("title")))
        self._connection.execute(_DOC, (key, file, key, key, *words, title, stored(text)))
        self._connection.execute("INSERT INTO words(rowid, text) VALUES(?, ?)", (key, stored(text)))
        self._connection.execute(
            "INSERT INTO grams(rowid, text) VALUES(?, ?)", (key, stored(text.lower()))
        )

    def posting(self, term: str, numbers: object) -> None:
        """Take a term's documents as they are; the extension believes them too."""
        if isinstance(numbers, list) and term == well_formed(term):
            kept = sorted({n for value in numbers if (n := whole(value)) and n in NUMBERS})
            row = (term, np.array(kept, SEGMENT_TYPE).tobytes())
            self._connection.execute("INSERT INTO postings VALUES(?, 1, ?)", row)


def read_store(path: str | Path) -> Opened | None:
    """Read the extension's ``recall/index.json``; None where it would start from nothing.

    Raises FormatError if there is no such file.
    """
    place = expanded(path)
    data = _data(place)
    if data is None:
        return None
    connection = connect(MEMORY)
    create(connection)
    filler = _Filler(connection)
    for name, entry in data["files"].items():
        filler.file(name, mapping(entry))
    for key, doc in data["docs"].items():
        if _NUMBER.match(key) and int(key) in NUMBERS:
            filler.doc(int(key), mapping(doc))
    for term, numbers in data["postings"].items():
        filler.posting(term, numbers)
    connection.execute("INSERT INTO segments VALUES(1)")
    connection.execute("INSERT INTO settings VALUES('next_number', ?)", (whole(data["nextId"]),))
    docs, files = counts(connection)
    return Opened(connection, str(place), None, SyncReport(0, 0, docs, files, 0.0))
