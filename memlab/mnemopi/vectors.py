"""Stored embeddings and their closeness to a query vector."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..text.javascript import number
from .options import RecallOptions
from .snapshot import Snapshot
from .visibility import Condition, newest_first

__all__ = ["Matrix", "closeness", "nearest", "parse_vector"]

Matrix = np.ndarray[Any, np.dtype[np.float64]]
Vector = np.ndarray[Any, np.dtype[np.float64]]
_PLAIN = {int, float}


def parse_vector(text: object) -> tuple[float, ...] | None:
    """Read a stored embedding as the engine does, or None where it is none.

    A JSON array; null counts as 0, text that is a number as that number; any
    element that is no finite number spoils the whole vector.
    """
    try:
        values = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, list):
        return None
    if set(map(type, values)) <= _PLAIN:
        try:
            plain = tuple(map(float, values))
        except OverflowError:
            return None
        return plain if all(map(math.isfinite, plain)) else None
    vector = tuple(number(value, math.nan) for value in values)
    return None if any(math.isnan(value) for value in vector) else vector


def closeness(query: Sequence[float], vectors: Sequence[Sequence[float] | Vector]) -> list[float]:
    """Return the cosine of a query with each of many vectors.

    The sums run over the numbers of a vector in their order, in double
    precision, so that they equal the engine's to the last bit: one number of
    all vectors at a time. What is shorter is padded with zeros; numbers that are
    not finite count as 0; a vector of zeros has the cosine 0.
    """
    if not vectors:
        return []
    width = max(len(query), *map(len, vectors))
    asked = [value if math.isfinite(value) else 0.0 for value in query]
    asked += [0.0] * (width - len(asked))
    columns = _columns(vectors, width)
    dots, squares = np.zeros(len(vectors)), np.zeros(len(vectors))
    square = 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        for value, column in zip(asked, columns, strict=True):
            dots += column * value
            squares += column * column
            square += value * value
    return [
        0.0 if square == 0 or norm == 0 else dot / (math.sqrt(square) * math.sqrt(norm))
        for dot, norm in zip(dots.tolist(), squares.tolist(), strict=True)
    ]


def _columns(vectors: Sequence[Sequence[float] | Vector], width: int) -> Matrix:
    """Return the vectors as the columns' rows: (width, number of vectors), padded with zeros."""
    matrix = np.zeros((len(vectors), width))
    for row, vector in zip(matrix, vectors, strict=True):
        row[: len(vector)] = vector
    return np.ascontiguousarray(matrix.T)


def nearest(
    snapshot: Snapshot, table: str, key: str, where: Condition, options: RecallOptions
) -> dict[Any, float]:
    """Return the closeness (cosine, at least 0) of the newest visible rows that have a vector.

    Only the newest ``scan_limit`` visible rows are looked at, as in the engine.
    """
    query = options.query_vector or ()
    if not query:
        return {}
    newest = (
        f"SELECT id, {key} AS key, timestamp FROM {table} WHERE {where.sql}"
        f" ORDER BY {newest_first(options)} LIMIT ?"
    )
    rows = snapshot.rows(
        f"SELECT key, memory_id FROM ({newest}) JOIN memory_embeddings"
        " ON memory_id = id ORDER BY memory_id",
        (*where.params, options.scan_limit),
    )
    found = [(row["key"], _stored(snapshot, row["memory_id"])) for row in rows]
    known = [(place, vector) for place, vector in found if vector is not None]
    close = closeness(query, [vector for _, vector in known])
    return {place: max(0.0, value) for (place, _), value in zip(known, close, strict=True)}


def _stored(snapshot: Snapshot, key: str) -> Vector | None:
    """Return a memory's vector, read once per snapshot."""
    known = snapshot.vectors
    if key not in known:
        rows = snapshot.rows(
            "SELECT embedding_json AS vector FROM memory_embeddings WHERE memory_id = ?", (key,)
        )
        vector = parse_vector(rows[0]["vector"]) if rows else None
        known[key] = None if vector is None else np.array(vector, dtype=np.float64)
    return known[key]
