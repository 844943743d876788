"""Stored embeddings and their closeness to a query vector."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from ..text.javascript import number
from .options import RecallOptions
from .snapshot import Snapshot
from .visibility import Condition, newest_first

__all__ = ["cosine", "nearest", "parse_vector"]


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
    vector = tuple(number(value, math.nan) for value in values)
    return None if any(math.isnan(value) for value in vector) else vector


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the cosine of two vectors, summed in order; the shorter one is padded with zeros."""
    size = max(len(left), len(right))
    dot = left_square = right_square = 0.0
    for place in range(size):
        x = left[place] if place < len(left) else 0.0
        y = right[place] if place < len(right) else 0.0
        x = x if math.isfinite(x) else 0.0
        y = y if math.isfinite(y) else 0.0
        dot += x * y
        left_square += x * x
        right_square += y * y
    if left_square == 0 or right_square == 0:
        return 0.0
    return dot / (math.sqrt(left_square) * math.sqrt(right_square))


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
        f"SELECT key, embedding_json AS vector FROM ({newest}) JOIN memory_embeddings"
        " ON memory_id = id ORDER BY memory_id",
        (*where.params, options.scan_limit),
    )
    found: dict[Any, float] = {}
    for row in rows:
        vector = parse_vector(row["vector"])
        if vector is not None:
            found[row["key"]] = max(0.0, cosine(query, vector))
    return found
