"""Documents into the tables, in batches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from ...text.javascript import well_formed
from ..pify.terms import terms
from .extract import Doc
from .postings import Gathered
from .schema import FIELDS, stored
from .shaping import shape

__all__ = ["Writer", "forget_docs"]

BATCH_DOCS, BATCH_CHARS, BATCH_POSTINGS = 10_000, 12_000_000, 3_000_000
_SHAPED = ", ".join(f"ifnull(s.{name}, d.{name})" for name in FIELDS)
_COLUMNS = ", ".join(FIELDS)
_FROM = "FROM docs d LEFT JOIN shaped s ON s.id = d.id WHERE"
_LOW = "ifnull(s.lowered, lower(d.text))"
_DOC = f"INSERT INTO docs VALUES({', '.join('?' * (9 + len(FIELDS)))})"
_FILE = f"INSERT INTO files VALUES({', '.join('?' * 13)})"
_SHAPE = f"INSERT INTO shaped VALUES({', '.join('?' * (2 + len(FIELDS)))})"
_WORDS = f"INSERT INTO words(rowid, {_COLUMNS}) SELECT d.id, {_SHAPED} {_FROM} d.id BETWEEN ? AND ?"
_GRAMS = (
    f"INSERT INTO grams(rowid, text) SELECT d.id, {_LOW} {_FROM} d.id BETWEEN ? AND ? "
    "AND d.text IS NOT NULL"
)


def forget_docs(connection: sqlite3.Connection, file: int) -> None:
    """Take the documents of a file out of all tables but the postings, which skip them."""
    connection.execute(
        f"INSERT INTO words(words, rowid, {_COLUMNS}) SELECT 'delete', d.id, {_SHAPED} {_FROM} "
        "d.file = ?",
        (file,),
    )
    connection.execute(
        f"INSERT INTO grams(grams, rowid, text) SELECT 'delete', d.id, {_LOW} {_FROM} "
        "d.file = ? AND d.text IS NOT NULL",
        (file,),
    )
    connection.execute(
        "DELETE FROM shaped WHERE id IN (SELECT id FROM docs WHERE file = ?)", (file,)
    )
    connection.execute("DELETE FROM docs WHERE file = ?", (file,))


class Writer:
    """Takes documents one by one and writes them in batches.

    With ``threaded=True`` the full-text tables are filled in a second thread while the
    next logs are read; SQLite works without Python's lock. Nobody else may use the
    connection until the writer is closed. Use it as a context manager.
    """

    def __init__(self, connection: sqlite3.Connection, *, threaded: bool) -> None:
        """Go on after the highest ids that the index has."""
        self._connection = connection
        (self._id,) = connection.execute("SELECT ifnull(max(id), 0) FROM docs").fetchone()
        self._next_number = _next_number(connection)
        self._docs: list[tuple[object, ...]] = []
        self._shaped: list[tuple[object, ...]] = []
        self._files: list[tuple[object, ...]] = []
        self._chars = 0
        self._postings = Gathered()
        self._pool = ThreadPoolExecutor(1) if threaded else None
        self._job: Future[None] | None = None

    def add_file(self, row: tuple[object, ...], docs: Iterable[Doc]) -> None:
        """Add a row of ``files`` (its id first) and its documents."""
        self._files.append(row)
        for doc in docs:
            self._add(int(str(row[0])), doc)

    def _add(self, file: int, doc: Doc) -> None:
        self._id += 1
        number = None
        kept = doc.fields[0]
        if doc.said is not None:
            number, self._next_number = self._next_number, self._next_number + 1
            kept = doc.said
            self._postings.add(number, terms(kept))
        texts = [kept, *doc.fields[1:]]
        values: Sequence[str | bytes | None] = texts
        if kept != doc.fields[0] or not _plain(texts):
            self._shaped.append((self._id, *_shaped(doc, kept)))
            values = [stored(text) for text in texts]
        for text in texts:
            if text is not None:
                self._chars += len(text)
        head = (self._id, file, number, doc.line, stored(doc.entry), stored(doc.role), doc.time)
        self._docs.append((*head, doc.active, stored(doc.title), *values))
        if len(self._docs) >= BATCH_DOCS or self._chars >= BATCH_CHARS:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting."""
        self._wait()
        self._connection.executemany(_FILE, self._files)
        self._connection.executemany(_DOC, self._docs)
        self._connection.executemany(_SHAPE, self._shaped)
        if self._postings.size >= BATCH_POSTINGS:
            self._postings.flush(self._connection)
        bounds = (self._docs[0][0], self._docs[-1][0]) if self._docs else None
        for waiting in (self._files, self._docs, self._shaped):
            waiting.clear()
        self._chars = 0
        if bounds is None:
            return
        if self._pool is None:
            self._index(bounds)
        else:
            self._job = self._pool.submit(self._index, bounds)

    def _index(self, bounds: tuple[object, object]) -> None:
        self._connection.execute(_WORDS, bounds)
        self._connection.execute(_GRAMS, bounds)

    def _wait(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.result()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write the rest, unless something failed; the thread has ended in any case."""
        try:
            if kind is None:
                self.flush()
                self._wait()
                self._postings.flush(self._connection)
                _keep_next_number(self._connection, self._next_number)
        finally:
            if self._pool is not None:
                self._pool.shutdown()


def _next_number(connection: sqlite3.Connection) -> int:
    """Numbers go on rising even where the newest documents are gone."""
    row = connection.execute("SELECT value FROM settings WHERE name = 'next_number'").fetchone()
    return int(row[0]) if row else 1


def _keep_next_number(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("INSERT OR REPLACE INTO settings VALUES('next_number', ?)", (number,))


def _plain(texts: Iterable[str | None]) -> bool:
    """Tell whether the full-text tables can take the texts as they are."""
    return all([text is None or text.isascii() for text in texts])  # noqa: C419  (half the time)


def _shaped(doc: Doc, kept: str | None) -> tuple[str | None, ...]:
    """Return what the full-text tables get, None where it is the text itself."""
    text = doc.fields[0]
    shaped = [None if value is None else _different(value) for value in doc.fields]
    if kept != text:
        shaped[0] = "" if text is None else shape(text)
    lowered = None if kept is None or kept.isascii() else well_formed(kept.lower())
    return (*shaped, lowered)


def _different(text: str) -> str | None:
    if text.isascii():
        return None
    shaped = shape(text)
    return None if shaped == text else shaped
