"""Stored rows as memories and facts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any

import pandas as pd

from ..errors import InputError, MemoryNotFound
from ..models import Fact, Memory
from ..text.dates import iso_millis, parse_millis
from ..text.javascript import length, number
from .lookup import checked_id
from .snapshot import Row, Snapshot

__all__ = ["as_time", "find", "moment", "read_facts", "read_memories", "state_of"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def as_time(value: object) -> datetime | None:
    """Return a stored time as UTC, or None where it is none that a calendar of Python has."""
    millis = parse_millis(value) if isinstance(value, str) else None
    if millis is None:
        return None
    try:
        return _EPOCH + timedelta(milliseconds=millis)
    except OverflowError:
        return None


def moment(time: object, name: str = "time") -> str:
    """Return a time as the engine writes it; raise InputError for what is none."""
    found = time if isinstance(time, datetime) else as_time(time)
    if found is None or pd.isna(found):  # pandas has a datetime that is none
        raise InputError(f"{name}={time!r} is not a time. Write it like 2026-03-01T12:00:00Z.")
    return iso_millis(found)


def state_of(row: Row, now: str) -> str:
    """Return live, expired, superseded or consolidated, judged as recall judges it.

    Stored times are compared as text, and an empty ``superseded_by`` counts.
    """
    if row["superseded_by"] is not None:
        return "superseded"
    until = row["valid_until"]
    if until is not None and not (isinstance(until, str) and until > now):
        return "expired"
    return "consolidated" if row.get("consolidated_at") is not None else "live"


def _metadata(text: object) -> dict[str, Any] | None:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _tags(metadata: dict[str, Any] | None) -> tuple[str, ...]:
    tags = (metadata or {}).get("tags")
    return tuple(str(tag) for tag in tags) if isinstance(tags, list) else ()


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _whole(value: float) -> int:
    """Return a count as a whole number that a frame can hold."""
    return int(max(-(2**63), min(value, 2**63 - 1)))


def _memory(row: Row, tier: str, has_vector: bool, now: str) -> Memory:
    metadata = _metadata(row["metadata_json"])
    content = "" if row["content"] is None else str(row["content"])
    return Memory(
        id=str(row["id"]),
        text=content,
        tier=tier,
        state=state_of(row, now),
        time=as_time(row["timestamp"]),
        type=_text(row["memory_type"]),
        source=_text(row["source"]),
        veracity=_text(row["veracity"]),
        importance=number(row["importance"], 0.5) if row["importance"] is not None else None,
        scope=_text(row["scope"]),
        session=_text(row["session_id"]),
        tags=_tags(metadata),
        chars=length(content),
        has_vector=has_vector,
        recalls=_whole(number(row["recall_count"], 0.0)),
        created=as_time(row["created_at"]),
        last_recalled=as_time(row["last_recalled"]),
        valid_until=as_time(row["valid_until"]),
        superseded_by=_text(row["superseded_by"]),
        metadata=metadata,
        raw={**row, "store": tier},
    )


def read_memories(snapshot: Snapshot, now: str) -> Iterator[Memory]:
    """Yield every stored memory, working first, in the order of writing."""
    embedded = {
        row["memory_id"] for row in snapshot.rows("SELECT memory_id FROM memory_embeddings")
    }
    for tier, rows in snapshot.tiers():
        for row in rows:
            yield _memory(row, tier, row["id"] in embedded, now)


def read_facts(snapshot: Snapshot) -> Iterator[Fact]:
    """Yield every stored fact, in the order of writing."""
    for row in snapshot.rows("SELECT rowid AS rowid, * FROM facts ORDER BY rowid"):
        confidence = row["confidence"]
        yield Fact(
            id=str(row["fact_id"]),
            subject=str(row["subject"]),
            predicate=str(row["predicate"]),
            object=str(row["object"]),
            time=as_time(row["timestamp"]),
            confidence=None if confidence is None else number(confidence, 0.5),
            session=_text(row["session_id"]),
            memory=_text(row["source_msg_id"]),
            created=as_time(row["created_at"]),
            raw=row,
        )


def find(snapshot: Snapshot, key: str, now: str) -> Memory:
    """Return one memory with its full row; raise MemoryNotFound with near ids, or InputError."""
    checked_id(key)
    for tier, table in (("working", "working_memory"), ("episodic", "episodic_memory")):
        rows = snapshot.rows(f"SELECT rowid AS rowid, * FROM {table} WHERE id = ?", (key,))
        if rows:
            vectors = snapshot.rows("SELECT 1 FROM memory_embeddings WHERE memory_id = ?", (key,))
            return _memory(rows[0], tier, bool(vectors), now)
    ids = [
        str(row["id"])
        for row in snapshot.rows(
            "SELECT id FROM working_memory UNION ALL SELECT id FROM episodic_memory"
        )
    ]
    near = get_close_matches(key, ids, n=3)
    hint = (
        f"Did you mean {', '.join(near)}?"
        if near
        else f"The bank has {len(ids)} memories; see .memories().frame()."
    )
    raise MemoryNotFound(f"No memory {key!r} in {snapshot.path}. {hint}")
