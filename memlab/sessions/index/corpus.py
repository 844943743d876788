"""The documents of an index in memory: what the ranking "pify" needs to know of each."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .schema import loaded

__all__ = ["Corpus", "file_keys", "load_corpus"]


class Corpus(NamedTuple):
    """Arrays indexed by the number of a document; numbers of dropped ones are dead."""

    ids: npt.NDArray[np.int64]
    files: npt.NDArray[np.int64]
    live: npt.NDArray[np.bool_]
    recency: npt.NDArray[np.int64]
    """Rises with time, and with the number among equal times."""

    keys: Mapping[int, str]
    """What each file is called in the ids of hits, by its id."""

    @property
    def size(self) -> int:
        """Return the number of live documents."""
        return int(self.live.sum())


def file_keys(connection: sqlite3.Connection) -> dict[int, str]:
    """Name each file: by its session, of several alike by folder and session, else by its path."""
    rows = connection.execute("SELECT id, session, path FROM files").fetchall()
    names = {number: (loaded(session) or "", loaded(path) or "") for number, session, path in rows}
    sessions = Counter(session for session, _ in names.values())
    longer = {
        number: session if sessions[session] == 1 else f"{PurePath(path).parent.name}/{session}"
        for number, (session, path) in names.items()
    }
    counts = Counter(longer.values())
    return {number: key if counts[key] == 1 else names[number][1] for number, key in longer.items()}


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
    return Corpus(ids, files, live, recency, file_keys(connection))
