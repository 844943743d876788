"""What a bank holds, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ..frames import Column, to_frame
from ..text.terminal import printable
from .reading import read_memories
from .snapshot import Snapshot
from .vectors import parse_vector

__all__ = ["BankInfo", "VectorModel", "describe"]


@dataclass(frozen=True, slots=True)
class VectorModel:
    """The embeddings of one model and width: how many memories carry them."""

    model: str | None
    width: int | None
    memories: int


@dataclass(frozen=True, slots=True, repr=False)
class BankInfo:
    """A bank in numbers.

    ``counts`` maps (tier, state) to memories; ``sessions`` maps each session to
    its memories. ``bytes`` is the size of the database with its ``-wal``.
    ``missing`` lists tables and columns that an older file lacks; memlab reads
    them as empty. ``schema_version`` is SQLite's counter of schema changes.
    """

    path: Path
    bank: str
    memories: int
    facts: int
    counts: Mapping[tuple[str, str], int]
    sessions: Mapping[str, int]
    vectors: tuple[VectorModel, ...]
    bytes: int
    schema_version: int
    journal: str
    missing: tuple[str, ...]

    def frame(self) -> pd.DataFrame:
        """Return the counts as a frame: tier, state, memories."""
        rows = [
            {"tier": tier, "state": state, "memories": count}
            for (tier, state), count in sorted(self.counts.items())
        ]
        return to_frame(rows, [Column("tier"), Column("state"), Column("memories", "int")])

    def __repr__(self) -> str:
        """Say it in a few lines, safe for a terminal."""
        return printable(str(self))

    def __str__(self) -> str:
        """Say it in a few lines."""
        counts = ", ".join(
            f"{n} {tier} {state}" for (tier, state), n in sorted(self.counts.items())
        )
        vectors = (
            "; ".join(f"{v.memories} by {v.model} ({v.width} numbers each)" for v in self.vectors)
            or "none (recall goes by words alone)"
        )
        lines = [
            f"bank      {self.bank}",
            f"file      {self.path} ({self.bytes / 1024:,.0f} KiB)",
            f"memories  {self.memories} ({counts or 'empty'})",
            f"facts     {self.facts}",
            f"vectors   {vectors}",
        ]
        if self.missing:
            lines.append(f"older     lacks {', '.join(self.missing)}; read as empty")
        return "\n".join(lines)


def _vectors(snapshot: Snapshot) -> tuple[VectorModel, ...]:
    counted: Counter[tuple[str | None, int | None]] = Counter()
    for row in snapshot.rows("SELECT model, embedding_json AS vector FROM memory_embeddings"):
        vector = parse_vector(row["vector"])
        model = None if row["model"] is None else str(row["model"])
        counted[model, None if vector is None else len(vector)] += 1
    return tuple(
        VectorModel(model, width, count) for (model, width), count in counted.most_common()
    )


def describe(snapshot: Snapshot, bank: str, now: str) -> BankInfo:
    """Count a bank."""
    memories = list(read_memories(snapshot, now))
    wal = snapshot.path.with_name(snapshot.path.name + "-wal")
    files = [file for file in (snapshot.path, wal) if file.exists()]
    return BankInfo(
        path=snapshot.path,
        bank=bank,
        memories=len(memories),
        facts=int(snapshot.rows("SELECT count(*) AS n FROM facts")[0]["n"]),
        counts=Counter((memory.tier, memory.state) for memory in memories),
        sessions=Counter(str(memory.session) for memory in memories),
        vectors=_vectors(snapshot),
        bytes=sum(file.stat().st_size for file in files),
        schema_version=snapshot.schema_version,
        journal=snapshot.journal,
        missing=snapshot.added,
    )
