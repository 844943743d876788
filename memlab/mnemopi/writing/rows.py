"""Rows as the engine writes them: their values, their ids, what is noted beside them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import InputError
from ...text.dates import parse_millis
from ...text.javascript import number_text, well_formed
from .item import NewFact, NewMemory

__all__ = [
    "add_annotations",
    "add_fact",
    "add_memory",
    "add_vector",
    "json_text",
    "new_id",
    "trust_tier",
    "veracity",
]

_VERACITIES = frozenset({"true", "false", "stated", "inferred", "tool", "imported", "unknown"})
_TRUST = {
    **dict.fromkeys(("tool", "api", "system"), "EXTERNAL_WRITE"),
    **dict.fromkeys(("import", "imported", "backup"), "IMPORTED"),
}
_SPOKEN = frozenset({"conversation", "user", "assistant"})
_ID_LENGTH = 16


def json_text(value: Mapping[str, Any] | None) -> str | None:
    """Print metadata as JavaScript does: no blanks, no escapes beyond what JSON needs."""
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def veracity(value: str | None) -> str:
    """Return a veracity the engine stores; every word it does not know becomes unknown."""
    word = (value or "").strip().lower()
    return word if word in _VERACITIES else "unknown"


def trust_tier(source: str | None) -> str:
    """Return the trust tier that the engine gives to a source."""
    return _TRUST.get((source or "").lower(), "STATED")


def new_id(connection: sqlite3.Connection, *parts: str) -> str:
    """Return an id of 16 hexadecimal digits that the bank does not have yet.

    It depends on the parts alone, and on how often the bank has them already:
    a bank built twice has the same ids.
    """
    turn = 0
    while True:
        text = "\0".join([*parts, str(turn)]).encode("utf-8", "surrogatepass")
        found = hashlib.sha256(text).hexdigest()[:_ID_LENGTH]
        taken = connection.execute(
            "SELECT 1 FROM working_memory WHERE id = ?1 UNION ALL"
            " SELECT 1 FROM episodic_memory WHERE id = ?1",
            (found,),
        ).fetchone()
        if not taken:
            return found
        turn += 1


def _insert(connection: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> None:
    clean = [well_formed(v) if isinstance(v, str) else v for v in values.values()]
    marks = ", ".join("?" * len(clean))
    connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", clean)


def _refuse_known(connection: sqlite3.Connection, table: str, column: str, key: str) -> None:
    if connection.execute(f"SELECT 1 FROM {table} WHERE {column} = ?", (key,)).fetchone():
        raise InputError(
            f"The bank has the id {key!a} in {table} already, so nothing was written. Leave the id "
            "out, or choose another."
        )


def sqlite_stamp(time: str) -> str:
    """Return an ISO instant in the form of SQLite's CURRENT_TIMESTAMP; other texts unchanged."""
    if parse_millis(time) is None or not time.endswith("Z"):
        return time
    return f"{time[:10]} {time[11:19]}"


def add_memory(
    connection: sqlite3.Connection, item: NewMemory, bank: str, now: str, *, durable: bool
) -> str:
    """Insert one memory and return its id; the triggers put it into the full-text index.

    ``durable`` marks it as imported: the engine never trims such a row away,
    and it keeps veracities and creation times as they are given.
    """
    time = item.time or now
    session = item.session or bank
    key = well_formed(item.id) if item.id else new_id(connection, item.text, time)
    _refuse_known(connection, f"{item.tier}_memory", "id", key)
    values = {
        "id": key,
        "content": item.text,
        "source": item.source,
        "timestamp": time,
        "session_id": session,
        "importance": item.importance,
        "metadata_json": json_text(item.all_metadata),
        "veracity": item.veracity if durable else veracity(item.veracity),
        "memory_type": item.type,
        "valid_until": item.valid_until,
        "superseded_by": item.superseded_by,
        "scope": item.scope,
        "author_id": item.author,
        "author_type": item.author_type,
        "channel_id": item.channel or session,
        "trust_tier": "IMPORTED" if durable else trust_tier(item.source),
        "event_date": item.event_date,
    }
    if durable:
        values["created_at"] = item.created or sqlite_stamp(time)
    if item.tier == "episodic":
        values |= {"summary_of": ",".join(item.summary_of), "tier": item.degradation}
    else:
        # An embed text that says the same is stored as none, as the engine does.
        values["embed_text"] = None if item.embed_text == item.text else item.embed_text
    _insert(connection, f"{item.tier}_memory", values)
    return key


def add_annotations(
    connection: sqlite3.Connection, key: str, time: str, source: str | None
) -> None:
    """Note when a memory is from, and its source where that is not a talk."""
    notes = [("occurred_on", time[:10])]
    if source and source not in _SPOKEN:
        notes.append(("has_source", source))
    for kind, value in notes:
        connection.execute(
            "INSERT OR IGNORE INTO annotations (memory_id, kind, value, source, confidence)"
            " VALUES (?, ?, ?, '', 1.0)",
            (key, kind, value),
        )


def add_vector(
    connection: sqlite3.Connection, key: str, vector: Sequence[float], model: str | None
) -> None:
    """Store a vector as the engine does: a JSON array."""
    text = f"[{','.join(number_text(float(value)) for value in vector)}]"
    connection.execute(
        "INSERT OR REPLACE INTO memory_embeddings (memory_id, embedding_json, model)"
        " VALUES (?, ?, ?)",
        (key, text, model),
    )


def add_fact(connection: sqlite3.Connection, fact: NewFact, bank: str, now: str) -> str:
    """Insert one fact and return its id."""
    time = fact.time or now
    count = connection.execute("SELECT count(*) FROM facts").fetchone()[0]
    key = well_formed(fact.id or f"fact_{fact.memory or 'none'}_{count}")
    _refuse_known(connection, "facts", "fact_id", key)
    _insert(
        connection,
        "facts",
        {
            "fact_id": key,
            "session_id": fact.session or bank,
            "subject": fact.subject,
            "predicate": fact.predicate,
            "object": fact.object,
            "timestamp": time,
            "source_msg_id": fact.memory,
            "confidence": fact.confidence,
            "created_at": fact.created or sqlite_stamp(time),
        },
    )
    return key
