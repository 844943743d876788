"""The index of session logs: built once, kept up to date, searched by two rankings."""

from __future__ import annotations

import sqlite3
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Self

from ...backends.closing import Closing
from ...errors import FormatError, InputError
from ...files import expanded
from ...models import Memories
from ..finding import MAX_BYTES
from .answering import SessionRecall, as_recall, digest, memories
from .corpus import Corpus, load_corpus
from .fetching import fetch
from .filters import Limits, chosen_fields
from .hits import SearchHits
from .location import index_errors
from .opening import Opened, build_index, open_index
from .options import SearchOptions
from .origin import Origin, Source
from .rank_pify import rank_pify
from .rank_words import WordsFound, rank_words
from .schema import stored
from .store import read_store
from .sync import Caps, SyncReport, clear, reading, sync

__all__ = ["SessionIndex"]


class SessionIndex(Closing):
    """Full-text search over session logs, by the agent's own ranking and by BM25.

    Make one with :meth:`build` or :meth:`open`; the logs themselves are only read. It is a
    backend: ``recall`` answers like any memory bank, so an evaluation can judge it.
    ``report`` tells what the last build, open or sync did.
    """

    def __init__(self, opened: Opened) -> None:
        """Take an index that was opened; use :meth:`build` or :meth:`open` to get one."""
        self._connection, self.path, self.origin, self.report = opened
        weakref.finalize(self, self._connection.close)  # where nobody calls close
        self._lock = RLock()
        self._arrays: tuple[int, Corpus] | None = None

    @classmethod
    def build(
        cls,
        source: Source,
        path: str | Path | None = None,
        *,
        max_docs: float = 20_000,
        max_doc_chars: float = 2_000,
        max_bytes: float = MAX_BYTES,
        live: str | Path | None = None,
        progress: bool | None = False,
    ) -> Self:
        """Index logs anew: in memory, or in a file that is put in its place whole.

        ``source`` is anything that ``SessionLogs`` takes, or one of them. The caps are
        those of @pify/recall: so many messages, newest logs first; so many UTF-16 units of
        each text; no larger files. ``live`` is the running session's log, which is not
        read. ``progress=True`` shows a bar, None only on a terminal. Raises InputError, or
        FormatError where the path holds a database that is no index.
        """
        origin = Origin.of(source, Caps(max_docs, max_doc_chars, max_bytes))
        place = None if path is None else expanded(path)
        return cls(build_index(origin, place, live=_path(live), progress=progress))

    @classmethod
    def open(
        cls,
        path: str | Path,
        source: Source | None = None,
        *,
        max_docs: float | None = None,
        live: str | Path | None = None,
        progress: bool | None = False,
    ) -> Self:
        """Open an index; if it is missing, damaged, of another version or limit, make it anew.

        ``report.rebuilt`` then says why. That takes ``source``, unless the old index still
        knows it. ``max_docs`` is the limit it must have; None takes that of the old index,
        or 20,000 where it cannot be read. An index that can be used is opened as it is:
        :meth:`sync` brings it up to date. Raises FormatError where it can be neither used
        nor made.
        """
        place = expanded(path)
        return cls(
            open_index(place, source, max_docs=max_docs, live=_path(live), progress=progress)
        )

    @classmethod
    def from_store(cls, path: str | Path, source: Source | None = None) -> Self:
        """Read the extension's own index (``recall/index.json``), as it would search it now.

        The file is only read. With a ``source`` of logs, :meth:`sync` goes on from there.
        Documents have numbers instead of lines. Raises FormatError where the extension
        would not use the file either, and begin from nothing.
        """
        opened = read_store(path)
        if opened is None:
            raise FormatError(
                f"{path} is no index of @pify/recall 0.5: damaged, or of another version. "
                "The extension would make it anew; SessionIndex.build does the same."
            )
        index = cls(opened)
        index.origin = None if source is None else Origin.of(source, Caps())
        return index

    def sync(self, *, live: str | Path | None = None, progress: bool | None = False) -> SyncReport:
        """Bring the index up to date with its logs: new, changed and vanished files.

        Files are compared by size and time. All or nothing. Raises InputError where the
        index was not made of logs.
        """
        if self.origin is None:
            raise InputError("This index was read from an extension's store; it has no logs.")
        with self._asking() as connection:
            files = self.origin.files()
            self.report = sync(
                connection, files, self.origin.caps, live=_path(live), progress=progress
            )
            self._arrays = None
        return self.report

    def clear(self) -> None:
        """Empty the index; the next :meth:`sync` reads all logs again."""
        with self._asking() as connection:
            clear(connection)
            self._arrays = None

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        return "sessions"

    @property
    def fingerprint(self) -> str:
        """Return digits that stand for everything that is searched."""
        with self._reading() as connection:
            return digest(connection)

    def search(self, query: str, limit: int = 10, **options: Any) -> SearchHits:
        """Search the logs; ``options`` are those of :class:`SearchOptions`.

        ``ranking="pify"``, the default, gives what the agent's tool would give;
        ``ranking="bm25"`` is full text over the ``fields`` of the same documents. Any text
        is a safe query; a blank one finds nothing. Raises UnknownOption or InputError.
        """
        return self.ranked(query, SearchOptions.of({"limit": limit, **options}))

    def ranked(self, query: str, options: SearchOptions, limit: float | None = None) -> SearchHits:
        """Search with checked options; ``limit`` replaces theirs, and is at least 1."""
        if not isinstance(query, str):
            raise InputError(f"A query is text, not {type(query).__name__}: {query!r:.80}.")
        size = options.limit if limit is None else limit
        with self._reading() as connection:
            corpus = self._corpus(connection)
            found, fields = self._found(connection, corpus, query, options, size)
            hits = fetch(
                connection,
                found.ranked,
                query,
                fields=fields,
                units=options.snippet,
                keys=corpus.keys,
            )
        return SearchHits(
            query, options.ranking, hits, indexed=corpus.size, left_out=found.left_out
        )

    def _found(
        self,
        connection: sqlite3.Connection,
        corpus: Corpus,
        query: str,
        options: SearchOptions,
        limit: float,
    ) -> tuple[WordsFound, tuple[str, ...]]:
        fields = chosen_fields(options.fields)
        options.filters.condition()  # refuses what cannot be used, whatever is found
        limits = Limits(limit, options.filters, _file(connection, options.live))
        if options.ranking == "pify":
            return WordsFound(rank_pify(connection, corpus, query, limits)), ("text",)
        return rank_words(connection, query, fields, limits), fields

    def recall(self, query: str, **options: Any) -> SessionRecall:
        """Search as a backend: the hits as memories, their ids ``session#line``.

        ``options`` are those of :class:`SearchOptions`. Raises UnknownOption or InputError.
        """
        checked = SearchOptions.of(options)
        start = time.perf_counter()
        found = self.ranked(query, checked)
        return as_recall(found, self.name, checked, time.perf_counter() - start)

    def memories(self, **filters: Any) -> Memories:
        """Return the indexed messages as memories; ``filters`` as for a search."""
        checked = SearchOptions.of(filters)
        with self._reading() as connection:
            keys = self._corpus(connection).keys
            return Memories(list(memories(connection, checked.filters, keys)))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _corpus(self, connection: sqlite3.Connection) -> Corpus:
        """Return the arrays of the ranking "pify", read anew after a change by anybody."""
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        if self._arrays is None or self._arrays[0] != version:
            self._arrays = (version, load_corpus(connection))
        return self._arrays[1]

    @contextmanager
    def _asking(self) -> Iterator[sqlite3.Connection]:
        """One question at a time; what SQLite says of a broken file becomes a FormatError."""
        with self._lock, index_errors(self.path):
            yield self._connection

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """One question, all of it answered from one state, whatever other processes write."""
        with self._asking() as connection, reading(connection):
            yield connection

    def __repr__(self) -> str:
        return (
            f"SessionIndex({self.path!r}: {self.report.documents} messages of "
            f"{self.report.files} sessions)"
        )


def _path(path: str | Path | None) -> str | None:
    return None if path is None else str(expanded(path))


def _file(connection: sqlite3.Connection, path: str | None) -> int | None:
    if path is None:
        return None
    row = connection.execute("SELECT id FROM files WHERE path = ?", (stored(path),)).fetchone()
    return None if row is None else int(row[0])
