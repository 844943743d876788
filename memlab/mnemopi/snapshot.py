"""A bank at one moment: an in-memory copy that every reader asks."""

from __future__ import annotations

import sqlite3
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BankError, InputError, NotABank
from ..text.javascript import well_formed
from .files import WAL_VERSION, check_file, mapped_errors, memory_copy, signature
from .lexicon import TextWords
from .schema import columns_of, complete

__all__ = ["Row", "Snapshot"]

Row = dict[str, Any]
_REFUSED = ("fts5", "unterminated string", "malformed MATCH", "datatype mismatch")
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _is_damage(error: Exception) -> bool:
    """Tell damage from the rest; a message that is no UTF-8 quotes a damaged page."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest of the code says where
    return code in _DAMAGE or isinstance(error, UnicodeDecodeError)


class Snapshot:
    """A consistent copy of one bank, in memory; the file itself is closed again."""

    def __init__(self, path: Path, wait: float = 5.0) -> None:
        """Copy the bank; raise an error of the BankError family where that fails."""
        self.path = path
        self.signature = signature(path)
        self._hold(memory_copy(path, wait))
        self.schema_version = int(self._db.execute("PRAGMA schema_version").fetchone()[0])
        self.journal = "wal" if check_file(path)[18] == WAL_VERSION else "rollback"
        self.added = self._completed()

    def _completed(self) -> tuple[str, ...]:
        """Add what an older schema lacks; raise NotABank where that cannot make a bank of it."""
        try:
            return complete(self._db)
        except sqlite3.DatabaseError as error:
            raise NotABank(
                f"{self.path} is an SQLite database with tables named like those of a Mnemopi "
                f"bank, but they are others: {error}. Check the path."
            ) from error

    def _hold(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        # Whoever holds the last reference lets go of the copy: the bank, or a recall of it.
        weakref.finalize(self, connection.close)
        self._texts: dict[str, TextWords] = {}
        # The embeddings that were read so far, by memory, and how many there are of each width.
        self.vectors: dict[str, np.ndarray[Any, np.dtype[np.float64]] | None] = {}
        self.widths: Counter[int] | None = None
        self._closed = False

    def duplicate(self) -> Snapshot:
        """Return a second copy in memory, to be changed apart from this one."""
        copy = sqlite3.connect(":memory:", check_same_thread=False)
        copy.text_factory = self._db.text_factory
        self._db.backup(copy)
        other = object.__new__(Snapshot)
        other.path, other.signature = self.path, self.signature
        other.schema_version, other.journal = self.schema_version, self.journal
        other.added = self.added
        other._hold(copy)
        return other

    @property
    def connection(self) -> sqlite3.Connection:
        """Return the connection to the copy."""
        return self._db

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """Run a query on the copy and return its rows by column name.

        Lone surrogates in text parameters become U+FFFD, as in the engine. Raises BankDamaged
        where SQLite meets damage that it did not see when the bank was opened.
        """
        try:
            return self._ask(sql, params)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if _is_damage(error):
                with mapped_errors(self.path):
                    raise
            raise

    def _ask(self, sql: str, params: Sequence[Any]) -> list[Row]:
        if self._closed:
            raise BankError(f"This copy of {self.path} was closed; open the bank again.")
        clean = [well_formed(value) if isinstance(value, str) else value for value in params]
        try:
            cursor = self._db.execute(sql, clean)
        except OverflowError as error:
            raise InputError(
                f"An option is larger than the largest whole number of SQLite, {2**63 - 1}."
            ) from error
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def matching(
        self, sql: str, params: Sequence[Any], faults: list[str] | None = None
    ) -> list[Row]:
        """Run a full-text query; one that fails matches nothing, as in the engine.

        FTS5 refuses some texts. Any other reason, such as a damaged index, is added to ``faults``.
        """
        try:
            return self._ask(sql, params)
        except sqlite3.ProgrammingError:
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if faults is not None and not any(sign in str(error) for sign in _REFUSED):
                faults.append(str(error))
            return []

    def words(self, text: str) -> TextWords:
        """Return the prepared words of a text, remembered."""
        found = self._texts.get(text)
        if found is None:
            found = self._texts[text] = TextWords(text)
        return found

    @cached_property
    def facts_have_scope(self) -> bool:
        """Tell whether the facts table has a scope column (engine-made banks have none)."""
        return "scope" in columns_of(self._db, "facts")

    def tiers(self) -> Iterator[tuple[str, list[Row]]]:
        """Yield each tier with all its rows, in the order they were written."""
        for tier, table in (("working", "working_memory"), ("episodic", "episodic_memory")):
            yield tier, self.rows(f"SELECT rowid AS rowid, * FROM {table} ORDER BY rowid")

    def main_session(self) -> str | None:
        """Return the session that owns the most memories; the first by name among equals."""
        rows = self.rows(
            "SELECT session_id, count(*) AS n FROM (SELECT session_id FROM working_memory UNION ALL"
            " SELECT session_id FROM episodic_memory) WHERE session_id IS NOT NULL"
            " GROUP BY session_id ORDER BY n DESC, session_id LIMIT 1"
        )
        return str(rows[0]["session_id"]) if rows else None

    def close(self) -> None:
        """Release the copy; what is asked of it afterwards raises BankError."""
        self._closed = True
        self._db.close()
