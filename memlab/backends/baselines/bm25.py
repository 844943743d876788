"""Words alone, weighted: BM25 as SQLite computes it."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable
from contextlib import closing
from typing import Any, ClassVar

import regex

from ...errors import InputError
from ...text.javascript import well_formed
from .control import Control
from .documents import Document, Source

__all__ = ["Bm25"]

# What SQLite's unicode61 makes words of; quoted one by one, they are no syntax.
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}\p{Co}]+")


class Bm25(Control):
    """Rank documents by BM25 (k1 = 1.2, b = 0.75) over the words of the query.

    Any word may match. ``tokenize`` is SQLite's: ``unicode61`` folds case and
    accents, ``porter unicode61`` takes English endings off, ``trigram`` finds
    parts of words, which Chinese and Japanese need.
    """

    kind: ClassVar[str] = "bm25"

    def __init__(
        self, source: Source, *, tokenize: str = "unicode61 remove_diacritics 2", name: str = ""
    ) -> None:
        """Index the documents, in memory."""
        super().__init__(source, name=name)
        self.tokenize = tokenize
        self._hold(_index(self.documents, tokenize))

    def rank(self, query: str, limit: int) -> Iterable[tuple[int, float]]:
        """Return place and score (SQLite's, turned so that more is better)."""
        words = dict.fromkeys(_WORD.findall(well_formed(query).lower()))
        if "trigram" in self.tokenize:
            words = dict.fromkeys(part for word in words for part in _parts(word))
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        # Every call has a cursor of its own, so that threads may ask at once.
        try:
            with closing(self._db.cursor()) as cursor:
                rows = cursor.execute(
                    "SELECT rowid, -bm25(documents) FROM documents WHERE documents MATCH ?"
                    " ORDER BY bm25(documents), rowid LIMIT ?",
                    (asked, limit),
                ).fetchall()
        except sqlite3.ProgrammingError as error:
            raise InputError(f"{self!r} cannot be asked ({error}) Make it again.") from None
        return [(row[0] - 1, float(row[1])) for row in rows]

    def close(self) -> None:
        """Release the index."""
        self._db.close()

    def __getstate__(self) -> dict[str, Any]:
        """Send everything but the index to another process."""
        return {name: value for name, value in vars(self).items() if name != "_db"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Index the documents again."""
        vars(self).update(state)
        self._hold(_index(self.documents, self.tokenize))

    def _hold(self, db: sqlite3.Connection) -> None:
        self._db = db
        weakref.finalize(self, db.close)  # where nobody calls close


def _parts(word: str) -> list[str]:
    """Return the three-letter parts of a word; a shorter word matches nothing there."""
    return [word[i : i + 3] for i in range(len(word) - 2)]


def _index(documents: Iterable[Document], tokenize: str) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", check_same_thread=False)
    quoted = tokenize.replace("'", "''")
    try:
        db.execute(f"CREATE VIRTUAL TABLE documents USING fts5(text, tokenize='{quoted}')")
    except sqlite3.Error as error:
        db.close()
        raise InputError(
            f"tokenize={tokenize!r} cannot be used ({error}). Try 'unicode61', "
            "'porter unicode61' or 'trigram'."
        ) from None
    db.executemany(
        "INSERT INTO documents(rowid, text) VALUES (?, ?)",
        ((place, well_formed(one.text)) for place, one in enumerate(documents, start=1)),
    )
    return db
