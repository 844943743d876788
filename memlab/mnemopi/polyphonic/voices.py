"""The four voices of polyphonic recall: vectors, graph, consolidated facts, time."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cmp_to_key
from typing import Any

import numpy as np

from ...text.collation import compare
from ...text.dates import DAY_MS, iso_day, iso_millis, parse_millis
from ...text.javascript import length, trim
from ..schema import tables_of
from ..snapshot import Row, Snapshot
from ..visibility import Condition, alive
from .graph import graph_voice
from .stored import parsed, strength

__all__ = ["VOICES", "Heard", "all_voices", "in_order"]

VOICES = ("vector", "graph", "fact", "temporal")
_TIMELY = (
    "yesterday", "today", "recent", "last", "latest", "this week", "this month", "ago", "before",
)  # fmt: skip
_LOCALE = cmp_to_key(compare)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BEST = 20
_ROWS = 50_000
_LEAST = 3
_LARGEST = sys.float_info.max
_WORD = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class Heard:
    """A memory that a voice names, its score there, and why."""

    id: str
    score: float
    about: dict[str, Any]


def in_order(heard: Sequence[Heard]) -> list[Heard]:
    """Sort by score, best first; ties by id, as JavaScript's localeCompare orders them."""
    by_id = sorted(heard, key=lambda one: _LOCALE(one.id))
    return sorted(by_id, key=lambda one: -one.score)


def _seen(now: str, session: str, table: str) -> Condition:
    owner = Condition(f"({table}.session_id = ? OR {table}.scope = 'global')", (session,))
    return alive(now, table) & owner


def _unit(vector: Sequence[float]) -> list[float] | None:
    """Return a vector of length 1 in single precision, or None where it has no direction."""
    if not vector or not all(map(math.isfinite, vector)):
        return None
    square = 0.0
    for value in vector:
        square += value * value
    if square == 0:
        return None
    norm = math.sqrt(square)
    return [float(np.float32(value / norm)) for value in vector]


def _cosine(unit: Sequence[float], stored: object) -> float | None:
    """Return the cosine with a stored vector of the same width, summed in order."""
    if not isinstance(stored, list) or len(stored) != len(unit):
        return None
    dot = square = 0.0
    for mine, value in zip(unit, stored, strict=True):
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not -_LARGEST <= value <= _LARGEST
        ):
            return None
        square += value * value
        dot += mine * value
    return None if square == 0 else dot / math.sqrt(square)


def vector_voice(
    snapshot: Snapshot, vector: Sequence[float] | None, session: str, now: str
) -> list[Heard]:
    """Return the 20 closest memories that have a vector as wide as the query's."""
    unit = None if vector is None else _unit(vector)
    if unit is None:
        return []
    parts, params = [], list[Any]()
    for tier in ("working", "episodic"):
        where = _seen(now, session, f"{tier}_memory")
        parts.append(
            f"SELECT memory_id, embedding_json AS vector, '{tier}' AS tier FROM memory_embeddings"
            f" JOIN {tier}_memory ON id = memory_id WHERE {where.sql}"
        )
        params += where.params
    rows = snapshot.rows(f"{' UNION ALL '.join(parts)} LIMIT {_ROWS}", params)
    best: dict[str, Heard] = {}
    for row in rows:
        cosine = _cosine(unit, parsed(row["vector"]))
        if cosine is None:
            continue
        score = (cosine + 1) / 2
        about = {
            "similarity": score,
            "cosine_similarity": cosine,
            "embedding_tier": row["tier"],
            "backend": "memory_embeddings",
        }
        if row["memory_id"] not in best or score > best[row["memory_id"]].score:
            best[row["memory_id"]] = Heard(row["memory_id"], score, about)
    return in_order(list(best.values()))[:_BEST]


def _sources(row: Row) -> list[str]:
    listed = parsed(row["sources_json"])
    texts = listed if isinstance(listed, list) else []
    return [trim(text) for text in texts if isinstance(text, str) and trim(text)]


def fact_voice(snapshot: Snapshot, query: str) -> list[Heard]:
    """Return the sources of consolidated facts about the query's words; no engine writes any."""
    if "consolidated_facts" not in tables_of(snapshot.connection):
        return []
    best: dict[str, Heard] = {}
    for word in dict.fromkeys(_WORD.findall(query.lower())):
        if length(word) < _LEAST:
            continue
        rows = snapshot.rows(
            "SELECT * FROM consolidated_facts WHERE subject = ? AND confidence >= 0.5"
            " AND superseded_by IS NULL ORDER BY confidence DESC, mention_count DESC, rowid",
            (word[0].upper() + word[1:],),
        )
        for row in rows:
            about = {
                "fact_id": row["id"],
                **{n: row[n] for n in ("subject", "predicate", "object")},
            }
            confidence = strength(row["confidence"])
            for key in _sources(row):
                if key not in best or best[key].score < confidence:
                    mentions = {"mentions": row["mention_count"]}
                    best[key] = Heard(key, confidence, {**about, **mentions})
    return in_order(list(best.values()))


def temporal_voice(snapshot: Snapshot, query: str, session: str, now: str) -> list[Heard]:
    """Return the newest working memories of seven days, if the query sounds like time."""
    low = query.lower()
    clock = parse_millis(now)
    if clock is None or not any(word in low for word in _TIMELY):
        return []
    where = _seen(now, session, "working_memory")
    rows = snapshot.rows(
        "SELECT id, timestamp, importance FROM working_memory WHERE timestamp > ?"
        f" AND {where.sql} ORDER BY timestamp DESC, rowid DESC LIMIT {_BEST}",
        (_week_before(clock), *where.params),
    )
    return list(_aged(rows, clock))


def _week_before(clock: float) -> str:
    days, rest = divmod(int(clock) - 7 * DAY_MS, DAY_MS)  # any year, also before the first
    return f"{iso_day(days)}T{iso_millis(_EPOCH + timedelta(milliseconds=rest))[11:]}"


def _aged(rows: Sequence[Row], clock: float) -> Iterator[Heard]:
    for row in rows:
        then = parse_millis(row["timestamp"]) if isinstance(row["timestamp"], str) else None
        if then is None:
            continue
        days = max(0.0, (clock - then) / DAY_MS)
        score = math.exp(-days / 7) * strength(row["importance"])
        yield Heard(row["id"], score, {"age_days": days, "importance": row["importance"]})


def all_voices(
    snapshot: Snapshot, query: str, vector: Sequence[float] | None, session: str, now: str
) -> dict[str, list[Heard]]:
    """Ask all four."""
    graph = [Heard(*one) for one in graph_voice(snapshot, query)]
    return {
        "vector": vector_voice(snapshot, vector, session, now),
        "graph": graph,
        "fact": fact_voice(snapshot, query),
        "temporal": temporal_voice(snapshot, query, session, now),
    }
