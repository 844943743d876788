"""Retaining memories as the engine does: duplicates refresh a row, old rows are trimmed away."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from ...text.dates import iso_millis
from ...text.javascript import well_formed
from ..reading import as_time
from .editing import remove
from .item import NewMemory
from .rows import add_annotations, add_memory, add_vector, trust_tier, veracity

__all__ = ["RETAIN_TOOL", "Retained", "remember"]

RETAIN_TOOL = {
    "source": "coding-agent-retain", "importance": 0.75, "veracity": "tool", "type": "fact",
    "scope": "bank",
}  # fmt: skip
"""What the agent's retain tool writes beside the text."""
_KEPT = timedelta(hours=24)
_KEPT_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Retained:
    """What became of memories that were retained.

    ``ids`` has one id per item. ``refreshed`` are those that stood in the bank
    already, word for word: their row was renewed. ``trimmed`` are older
    memories that the engine's rule removed on this occasion: unconsolidated
    rows of the session, older than 24 hours or beyond the newest 1000.
    """

    ids: tuple[str, ...]
    refreshed: tuple[str, ...] = ()
    trimmed: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the answer of the agent's retain tool, to the letter."""
        return f"{len(self.ids)} {'memory' if len(self.ids) == 1 else 'memories'} stored."


def _refresh(
    connection: sqlite3.Connection, key: str, item: NewMemory, session: str, now: str
) -> None:
    known = veracity(item.veracity)
    new: dict[str, Any] = {
        "valid_until": item.valid_until,
        "scope": item.scope,
        "author_id": item.author,
        "author_type": item.author_type,
        "channel_id": item.channel or session,
        "memory_type": item.type,
        "veracity": None if known == "unknown" else known,
        "trust_tier": trust_tier(item.source),
        "embed_text": None if item.embed_text == item.text else item.embed_text,
    }
    kept = ", ".join(f"{name} = COALESCE(?, {name})" for name in new)
    connection.execute(
        f"UPDATE working_memory SET importance = MAX(importance, ?), timestamp = ?, source = ?,"
        f" {kept}, consolidated_at = NULL WHERE id = ? AND session_id = ?",
        (item.importance, item.time or now, item.source, *new.values(), key, session),
    )


def _trim(connection: sqlite3.Connection, session: str, now: str) -> list[str]:
    """Apply the engine's rule after a write; return the ids of the rows it removed."""
    cutoff = iso_millis((as_time(now) or datetime.now(UTC)) - _KEPT)
    scratch = "session_id = ? AND consolidated_at IS NULL AND trust_tier IS NOT 'IMPORTED'"
    rows = connection.execute(
        f"SELECT id FROM working_memory WHERE {scratch} AND (timestamp < ? OR id NOT IN ("
        f"SELECT id FROM working_memory WHERE {scratch} ORDER BY timestamp DESC LIMIT ?))",
        (session, cutoff, session, _KEPT_ROWS),
    ).fetchall()
    keys = [str(key) for (key,) in rows]
    if keys:
        remove(connection, keys, session)
    return keys


def remember(
    connection: sqlite3.Connection,
    items: Sequence[NewMemory],
    vectors: Sequence[Sequence[float] | None],
    model: str | None,
    *,
    bank: str,
    now: str,
    trim: bool,
) -> Retained:
    """Write memories one after the other, as the engine's ``remember`` does."""
    ids: list[str] = []
    refreshed: list[str] = []
    trimmed: list[str] = []
    for item, vector in zip(items, vectors, strict=True):
        session = item.session or bank
        known = connection.execute(
            "SELECT id FROM working_memory WHERE content = ? AND session_id = ? LIMIT 1",
            (well_formed(item.text), session),
        ).fetchone()
        if known:
            key = str(known[0])
            _refresh(connection, key, item, session, now)
            refreshed.append(key)
        else:
            key = add_memory(connection, item, bank, now, durable=False)
            add_annotations(connection, key, item.time or now, item.source)
            if trim:
                trimmed += _trim(connection, session, now)
        # A row that the rule removed at once keeps its id in the answer, and no vector.
        if vector is not None and key not in trimmed:
            add_vector(connection, key, vector, model)
        ids.append(key)
    return Retained(tuple(ids), tuple(refreshed), tuple(trimmed))
