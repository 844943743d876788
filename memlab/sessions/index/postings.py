"""Which documents hold a term: rising numbers, as bytes, in segments."""

from __future__ import annotations

import sqlite3
import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

__all__ = ["SEGMENT_TYPE", "Gathered", "compact", "numbers_of"]

Numbers = npt.NDArray[np.uint32]
MAX_SEGMENTS, MIN_DROPPED = 32, 1000
SEGMENT_TYPE = np.dtype("<u4")


def _numbers() -> array[int]:
    return array("I")


def _little(numbers: array[int]) -> array[int]:
    """Return the numbers as the database has them: little-endian, whatever the machine is."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class Gathered:
    """Postings gathered in memory until there are enough for a segment."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, array[int]] = defaultdict(_numbers)
        self.size = 0

    def add(self, number: int, words: Iterable[str]) -> None:
        """Note a document, whose number is higher than all before, under its terms."""
        distinct = set(words)
        for word in distinct:
            self._numbers[word].append(number)
        self.size += len(distinct)

    def flush(self, connection: sqlite3.Connection) -> None:
        """Write what was gathered as one segment."""
        if not self._numbers:
            return
        (segment,) = connection.execute(
            "SELECT ifnull(max(segment), 0) + 1 FROM segments"
        ).fetchone()
        connection.execute("INSERT INTO segments VALUES(?)", (segment,))
        connection.executemany(
            "INSERT INTO postings VALUES(?, ?, ?)",
            (
                (word, segment, _little(self._numbers[word]).tobytes())
                for word in sorted(self._numbers)
            ),
        )
        self._numbers.clear()
        self.size = 0


def numbers_of(connection: sqlite3.Connection, term: str) -> Numbers:
    """Return the numbers of the documents that hold a term, rising; dropped ones among them."""
    rows = connection.execute(
        "SELECT numbers FROM postings WHERE term = ? ORDER BY segment", (term,)
    )
    return np.frombuffer(b"".join(row[0] for row in rows), SEGMENT_TYPE)


def compact(connection: sqlite3.Connection) -> bool:
    """Make one segment of many, without dropped documents, once there are too many of either."""
    (count,) = connection.execute("SELECT count(*) FROM segments").fetchone()
    rows = connection.execute("SELECT number FROM docs WHERE number IS NOT NULL ORDER BY number")
    live = np.fromiter((row[0] for row in rows), SEGMENT_TYPE)
    dropped = (int(live[-1]) if live.size else 0) - live.size
    if count <= MAX_SEGMENTS and dropped <= live.size + MIN_DROPPED:
        return False
    (segment,) = connection.execute("SELECT max(segment) + 1 FROM segments").fetchone()
    words = [row[0] for row in connection.execute("SELECT DISTINCT term FROM postings")]
    for word in words:
        kept = np.intersect1d(numbers_of(connection, word), live, assume_unique=True)
        if kept.size:
            connection.execute(
                "INSERT INTO postings VALUES(?, ?, ?)", (word, segment, kept.tobytes())
            )
    connection.execute("DELETE FROM postings WHERE segment < ?", (segment,))
    connection.execute("DELETE FROM segments")
    connection.execute("INSERT INTO segments VALUES(?)", (segment,))
    return True
