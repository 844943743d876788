"""The documents of an index in memory: what the ranking "pify" needs to know of each."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Corpus", "load_corpus"]


class Corpus(NamedTuple):
    """Arrays indexed by the number of a document; numbers of dropped ones are dead."""

    ids: npt.NDArray[np.int64]
    files: npt.NDArray[np.int64]
    live: npt.NDArray[np.bool_]
    recency: npt.NDArray[np.int64]
    """Rises with time, and with the number among equal times."""

    @property
    def size(self) -> int:
        """Return the number of live documents."""
        return int(self.live.sum())


def load_corpus(connection: sqlite3.Connection) -> Corpus:
    """Read what the ranking needs of all documents."""
    rows = connection.execute(
        "SELECT number, id, file, time FROM docs WHERE number IS NOT NULL ORDER BY number"
    ).fetchall()
    table = np.array(rows, np.float64).reshape(-1, 4)
    numbers = table[:, 0].astype(np.int64)
    length = int(numbers[-1]) + 1 if numbers.size else 0
    ids, files, recency = (np.zeros(length, np.int64) for _ in range(3))
    live = np.zeros(length, np.bool_)
    live[numbers] = True
    ids[numbers] = table[:, 1].astype(np.int64)
    files[numbers] = table[:, 2].astype(np.int64)
    recency[numbers[np.lexsort((numbers, table[:, 3]))]] = np.arange(1, numbers.size + 1)
    return Corpus(ids, files, live, recency)
