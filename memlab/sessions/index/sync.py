"""Bringing an index up to date: changed files by size and time, vanished ones, the caps."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..dialects import Agent
from ..finding import MAX_BYTES, MAX_DEPTH, Found
from ..problems import Problem, Problems
from ..progress import meter
from .extract import Doc, LogDocs, read_docs
from .postings import compact
from .schema import loaded, stored, tune
from .writer import Writer, forget_docs

__all__ = ["Caps", "SyncReport", "clear", "counts", "reading", "sync"]

THREAD_FROM_BYTES = 8_000_000
"""Below this a second thread costs more than it saves."""

NO_PROBLEMS = Problems()
Candidate = tuple[Found, Agent | None]
Reader = Callable[[Path, Agent | None, float], LogDocs]


class Caps(NamedTuple):
    """The limits of an index; those of @pify/recall where nothing else is said."""

    max_docs: float = 20_000
    max_doc_chars: float = 2_000
    max_bytes: float = MAX_BYTES
    max_depth: float = MAX_DEPTH


@dataclass(frozen=True)
class SyncReport:
    """What a sync did.

    ``read`` and ``vanished`` count files, ``documents`` and ``files`` what the index holds
    now. ``rebuilt`` says why the index was made anew, or is None.
    """

    read: int
    vanished: int
    documents: int
    files: int
    seconds: float
    rebuilt: str | None = None
    problems: Problems = NO_PROBLEMS

    @property
    def changed(self) -> bool:
        """Tell whether anything was done."""
        return bool(self.read or self.vanished or self.rebuilt)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # of some errors SQLite rolls back by itself
            connection.execute("ROLLBACK")
        raise


@contextmanager
def reading(connection: sqlite3.Connection) -> Iterator[None]:
    """Read one state: nobody can write meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def counts(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the number of documents that "pify" sees, and of files held."""
    (docs,) = connection.execute("SELECT count(number) FROM docs").fetchone()
    (files,) = connection.execute("SELECT count(*) FROM files WHERE is_held").fetchone()
    return docs, files


class _Held(NamedTuple):
    id: int
    size: int
    mtime_ns: int


_Work = tuple[list[_Held], list[Candidate]]
NOTHING: _Work = ([], [])


def _held(connection: sqlite3.Connection) -> dict[str, _Held]:
    rows = connection.execute("SELECT path, id, size, mtime_ns FROM files WHERE is_held")
    return {str(loaded(path)): _Held(*rest) for path, *rest in rows}


def _is_live(path: str, live: str | None) -> bool:
    if not live:
        return False
    if path == live:
        return True
    same_name = os.path.basename(path) == os.path.basename(live)  # noqa: PTH119
    return same_name and os.path.realpath(path) == os.path.realpath(live)


def _room(docs: Iterable[Doc], room: float) -> list[Doc]:
    """Return the documents up to the last that there is room for."""
    kept: list[Doc] = []
    for doc in docs:
        if room <= 0:
            break
        kept.append(doc)
        room -= doc.said is not None
    return kept


def _file_row(number: int, found: Found, log: LogDocs) -> tuple[object, ...]:
    texts = (log.session, log.title, log.session_id, log.agent, log.cwd, log.project)
    return (
        number,
        stored(found.path),
        found.size,
        found.mtime_ns,
        *map(stored, texts),
        log.is_subagent,
        len(log.problems),
        True,
    )


def _forget(connection: sqlite3.Connection, file: int) -> None:
    forget_docs(connection, file)
    connection.execute("DELETE FROM files WHERE id = ?", (file,))


def _too_large(files: Sequence[Candidate], caps: Caps) -> list[Problem]:
    return [
        Problem(found.path, 0, f"{found.size:,} bytes: over the limit of {caps.max_bytes:,.0f}")
        for found, _ in files
        if found.size > caps.max_bytes
    ]


def sync(
    connection: sqlite3.Connection,
    files: Sequence[Candidate],
    caps: Caps,
    *,
    live: str | None = None,
    progress: bool | None = False,
    read: Reader = read_docs,
) -> SyncReport:
    """Make the index hold these files, which are read newest first.

    Files that are gone are dropped, then those whose size or time differs are read; their
    old documents free their places first. The live session's file is not read. All in
    one transaction.
    """
    start = time.perf_counter()
    problems = _too_large(files, caps)
    fit = [candidate for candidate in files if candidate[0].size <= caps.max_bytes]
    done = vanished = 0
    if _work(_held(connection), fit, live) != NOTHING:
        with transaction(connection):
            held = _held(connection)  # another process may just have done the same
            gone, due = _work(held, fit, live)
            for entry in gone:
                _forget(connection, entry.id)
            reads = _Reading(connection, held, caps, read)
            reads.run(due, progress)
            compact(connection)
        done, vanished, problems = reads.done, len(gone), problems + reads.problems
    docs, number = counts(connection)
    seconds = time.perf_counter() - start
    return SyncReport(done, vanished, docs, number, seconds, None, Problems(problems))


def _work(held: Mapping[str, _Held], files: Sequence[Candidate], live: str | None) -> _Work:
    """Return what is gone, and what has to be read, newest first."""
    present = {found.path for found, _ in files}
    gone = [entry for path, entry in held.items() if path not in present]
    due = [
        (found, agent)
        for found, agent in files
        if held.get(found.path, _Held(0, -1, -1))[1:] != found[1:]
        and not _is_live(found.path, live)
    ]
    due.sort(key=lambda candidate: -candidate[0].mtime_ns)
    return gone, due


def clear(connection: sqlite3.Connection) -> None:
    """Drop all documents; numbers begin at 1 again."""
    with transaction(connection):
        for table in ("files", "docs", "shaped", "postings", "segments"):
            connection.execute(f"DELETE FROM {table}")
        for table in ("words", "grams"):
            connection.execute(f"INSERT INTO {table}({table}) VALUES('delete-all')")
        connection.execute("DELETE FROM settings WHERE name = 'next_number'")


class _Reading:
    """The files that are due, read in their order."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        held: Mapping[str, _Held],
        caps: Caps,
        read: Reader,
    ) -> None:
        self._connection = connection
        self._held = held
        self._caps = caps
        self._read = read
        self._docs, _ = counts(connection)
        (self._file,) = connection.execute("SELECT ifnull(max(id), 0) FROM files").fetchone()
        self.done = 0
        self.problems: list[Problem] = []

    def run(self, due: Sequence[Candidate], progress: bool | None) -> None:
        """Read them all; what cannot be read is a problem, and is tried again next time."""
        total = sum(found.size for found, _ in due)
        threaded = total >= THREAD_FROM_BYTES and not self._held
        tune(self._connection, bulk=threaded)
        with (
            Writer(self._connection, threaded=threaded) as writer,
            meter(total=total, label="indexing", shown=progress) as bar,
        ):
            for found, agent in due:
                self._take(writer, found, agent)
                bar.update(found.size)
        tune(self._connection, bulk=False)

    def _take(self, writer: Writer, found: Found, agent: Agent | None) -> None:
        try:
            log = self._read(Path(found.path), agent, self._caps.max_doc_chars)
        except OSError as error:
            self.problems.append(Problem(found.path, 0, f"cannot be read: {error.strerror}"))
            return
        old = self._held.get(found.path)
        if old is not None:
            self._docs -= _numbered(self._connection, old.id)
            _forget(self._connection, old.id)
        kept = _room(log.docs, self._caps.max_docs - self._docs)
        self._docs += sum(doc.said is not None for doc in kept)
        self._file += 1
        self.done += 1
        writer.add_file(_file_row(self._file, found, log), kept)
        self.problems += log.problems


def _numbered(connection: sqlite3.Connection, file: int) -> int:
    (count,) = connection.execute(
        "SELECT count(number) FROM docs WHERE file = ?", (file,)
    ).fetchone()
    return int(count)
