"""Experimental banks from nothing, that the real engine opens too."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...models import Memory
from ..embedding import Embedder, embed_passages, model_name
from ..reading import moment
from .copying import new_file
from .item import NewFact, NewMemory, facts_of, memories_of
from .opening import write_errors
from .rows import add_annotations, add_fact, add_memory, add_vector
from .tables import prepare

__all__ = ["instant", "write_bank"]


def instant(now: datetime | str | None) -> str:
    """Return an instant as the engine writes it; the clock where there is none."""
    return moment(datetime.now(UTC) if now is None else now, "now")


def _unique(items: list[NewMemory]) -> None:
    seen: dict[str, int] = {}
    for place, item in enumerate(items):
        if item.id is not None and seen.setdefault(item.id, place) != place:
            raise InputError(
                f"Items {seen[item.id]} and {place} have the same id {item.id!r}. Ids are unique "
                "in a bank; leave id out, and put what labels call the memory into key."
            )


def write_bank(
    items: Iterable[str | Mapping[str, Any] | NewMemory | Memory],
    path: Path,
    bank: str,
    now: str,
    *,
    facts: Iterable[Mapping[str, Any] | NewFact] = (),
    embedder: Embedder | None = None,
    model: str | None = None,
) -> None:
    """Write a new bank file; everything is checked before the file is made."""
    memories = memories_of(items)
    _unique(memories)
    known = facts_of(facts)
    vectors = [item.vector for item in memories]
    if embedder is not None:
        bare = [place for place, vector in enumerate(vectors) if vector is None]
        made = embed_passages(embedder, [memories[place].indexed for place in bare])
        for place, vector in zip(bare, made, strict=True):
            vectors[place] = vector
        model = model or model_name(embedder)
    with (
        write_errors(path),
        new_file(path),
        closing(sqlite3.connect(path, isolation_level=None)) as connection,
    ):
        connection.execute("BEGIN")
        prepare(connection)
        for item, vector in zip(memories, vectors, strict=True):
            key = add_memory(connection, item, bank, now, durable=True)
            if item.tier == "working":
                add_annotations(connection, key, item.time or now, item.source)
            if vector is not None:
                add_vector(connection, key, vector, model)
        for fact in known:
            add_fact(connection, fact, bank, now)
        connection.execute("COMMIT")
