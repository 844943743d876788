"""Stored memories of a Hindsight bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..frames import Column
from ..models import Memories, Memory
from ..text.javascript import length
from .replies import MemoryReply

__all__ = ["HindsightMemories", "HindsightMemory", "as_memory"]

_STATES = {"valid": "live", None: "live"}
COLUMNS = (
    Column("id"), Column("tier"), Column("state"), Column("time", "time"), Column("source"),
    Column("tags", "object"), Column("chars", "int"), Column("text"), Column("context"),
    Column("occurred_start", "time"), Column("occurred_end", "time"),
    Column("entities", "object"), Column("proof_count", "int"), Column("chunk"),
    Column("consolidated", "time"), Column("invalidated", "time"), Column("reason"),
    Column("updated", "time"), Column("sources", "object"), Column("metadata", "object"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HindsightMemory(Memory):
    """One stored memory.

    ``tier`` is its type (world, experience, observation), ``state`` live or
    invalidated, ``time`` when it was mentioned, ``source`` its document.
    ``sources`` are the memories that an observation was made from. What only
    Mnemopi knows (importance, veracity, recalls, …) is empty.
    """

    context: str | None = None
    occurred_start: datetime | None = None
    occurred_end: datetime | None = None
    entities: tuple[str, ...] = ()
    proof_count: int | None = None
    chunk: str | None = None
    consolidated: datetime | None = None
    invalidated: datetime | None = None
    reason: str | None = None
    updated: datetime | None = None
    sources: tuple[str, ...] = ()


class HindsightMemories(Memories):
    """The memories of a bank, in the server's order; ``.frame()`` gives one row each.

    Columns as for Mnemopi where they mean the same: id, tier (the type), state
    (live, invalidated), time (mentioned), source (the document), tags, chars
    (UTF-16 units), text. Then context, occurred_start, occurred_end, entities,
    proof_count, chunk, consolidated, invalidated, reason, updated, sources,
    metadata.
    """

    _columns = COLUMNS


def as_memory(reply: MemoryReply, raw: Mapping[str, Any]) -> HindsightMemory:
    """Turn a reply into a memory; ``raw`` is what the server sent."""
    return HindsightMemory(
        id=reply.id,
        text=reply.text,
        tier=reply.type or "",
        state=_STATES.get(reply.state, reply.state or "live"),
        time=reply.mentioned_at or reply.date,
        type=reply.type,
        source=reply.document_id,
        tags=reply.tags,
        chars=length(reply.text),
        metadata={**reply.metadata, **_document(reply)},
        raw=raw,
        context=reply.context or None,
        occurred_start=reply.occurred_start,
        occurred_end=reply.occurred_end,
        entities=reply.entities,
        proof_count=reply.proof_count,
        chunk=reply.chunk_id,
        consolidated=reply.consolidated_at,
        invalidated=reply.invalidated_at,
        reason=reply.invalidation_reason,
        updated=reply.updated_at,
        sources=reply.source_memory_ids,
    )


def _document(reply: MemoryReply) -> dict[str, str]:
    """Return the document's id where metadata has none of that name: labels may go by it."""
    return {"document_id": reply.document_id} if reply.document_id else {}
