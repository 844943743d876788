"""Single memories and standing context, as the engine hands them to the agent."""

from __future__ import annotations

import json
from typing import Any

from ..errors import InputError
from .snapshot import Row, Snapshot
from .visibility import alive, fact_owner

__all__ = ["checked_id", "look_up", "standing_context"]

_FIELDS = (
    "id, content, source, timestamp, session_id, importance, metadata_json, veracity, created_at"
)


def checked_id(key: object) -> str:
    """Return an id; raise InputError for what is none."""
    if not isinstance(key, str):
        raise InputError(f"An id is text, not {type(key).__name__}: {key!a:.80}.")
    return key


def _stored(rows: list[Row], store: str) -> dict[str, Any] | None:
    if not rows:
        return None
    return {**rows[0], "metadata": rows[0]["metadata_json"], "memory_store": store}


def _fact(snapshot: Snapshot, key: str, session: str) -> dict[str, Any] | None:
    owner = fact_owner(session, snapshot.facts_have_scope)
    rows = snapshot.rows(
        f"SELECT * FROM facts WHERE fact_id = ? AND {owner.sql}", (key, *owner.params)
    )
    if not rows:
        return None
    row = rows[0]
    metadata = {name: row[name] for name in ("subject", "predicate", "object", "source_msg_id")}
    return {
        "id": row["fact_id"],
        "content": " ".join(row[name] for name in ("subject", "predicate", "object") if row[name]),
        "source": "facts",
        "timestamp": row["timestamp"],
        "session_id": row["session_id"],
        "importance": row["confidence"],
        "metadata": json.dumps(metadata, ensure_ascii=False, separators=(",", ":")),
        "created_at": row["created_at"],
        "memory_store": "fact",
    }


def look_up(snapshot: Snapshot, key: str, session: str) -> dict[str, Any] | None:
    """Return what the engine's ``get`` returns for an id, or None.

    A working memory of any session and state; else an episodic one of this
    session or global; else a fact of this session. Raises InputError for what is no id.
    """
    checked_id(key)
    working = snapshot.rows(f"SELECT {_FIELDS} FROM working_memory WHERE id = ?", (key,))
    episodic = snapshot.rows(
        f"SELECT {_FIELDS} FROM episodic_memory WHERE id = ?"
        " AND (session_id = ? OR scope = 'global')",
        (key, session),
    )
    return (
        _stored(working, "working")
        or _stored(episodic, "episodic")
        or _fact(snapshot, key, session)
    )


def standing_context(snapshot: Snapshot, session: str, now: str, limit: int) -> list[Row]:
    """Return the working memories that a session begins with: global first, then by importance."""
    living = alive(now)
    return snapshot.rows(
        "SELECT id, content, source, timestamp, importance, scope FROM working_memory"
        f" WHERE (session_id = ? OR scope = 'global') AND {living.sql}"
        " ORDER BY CASE WHEN scope = 'global' THEN 0 ELSE 1 END, importance DESC, timestamp DESC"
        " LIMIT ?",
        (session, *living.params, limit),
    )
