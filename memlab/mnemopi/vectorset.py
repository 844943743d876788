"""All stored embeddings of a bank as one matrix, and whether they are sound."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from ..frames import Column, to_frame
from .reading import read_memories
from .snapshot import Snapshot
from .vectors import Matrix, parse_vector

__all__ = ["StoredVector", "Vectors", "read_vectors", "stored_widths"]

VECTOR_COLUMNS = (
    Column("id"),
    Column("tier"),
    Column("state"),
    Column("model"),
    Column("width", "int"),
    Column("norm", "float"),
    Column("problem"),
    Column("same_as"),
)
_FACTS: Mapping[str, str] = {
    "without": "memories with no vector: found by words alone",
    "unreadable": "no vector can be read: found by words alone",
    "zero": "all numbers are 0: as close to all as to nothing",
    "duplicate": "another memory's vector, though texts differ",
    "other width": "another width than most: padded with zeros",
    "other model": "made by another model than most: not comparable",
    "orphan": "vectors of memories that are no longer there",
}


@dataclass(frozen=True, slots=True)
class StoredVector:
    """The embedding of one memory, or the lack of it.

    ``problem`` is None, or one of: without, unreadable, zero, duplicate (of
    ``same_as``), other width, other model, orphan (its memory is gone).
    """

    id: str
    tier: str | None = None
    state: str | None = None
    model: str | None = None
    width: int | None = None
    norm: float | None = None
    problem: str | None = None
    same_as: str | None = None


@dataclass(frozen=True, repr=False)
class Vectors:
    """The embeddings of a bank.

    ``matrix`` has one row per vector of the usual ``width``, in the order of
    ``ids``, in double precision as stored. ``model`` is the usual model;
    ``stored`` has one entry per memory and orphaned vector, with its problem.
    """

    ids: tuple[str, ...]
    matrix: Matrix = field(repr=False, compare=False)
    model: str | None
    width: int | None
    stored: tuple[StoredVector, ...] = field(repr=False)

    def __len__(self) -> int:
        """Return the number of vectors of the usual width."""
        return len(self.ids)

    def frame(self) -> pd.DataFrame:
        """Return one row per memory and orphaned vector.

        Columns: id, tier, state, model, width, norm, problem, same_as.
        """
        names = [column.name for column in VECTOR_COLUMNS]
        rows = ({name: getattr(one, name) for name in names} for one in self.stored)
        return to_frame(rows, VECTOR_COLUMNS)

    def health(self) -> pd.DataFrame:
        """Return what is wrong with the vectors, counted: fact, count, share (of all memories), about.

        The first row counts the memories whose vector is sound.
        """
        counts = Counter(one.problem or "sound" for one in self.stored)
        memories = sum(one.problem != "orphan" for one in self.stored) or 1
        facts = {"sound": "with a vector of the usual model and width", **_FACTS}
        rows = (
            {"fact": fact, "count": counts[fact], "share": counts[fact] / memories, "about": about}
            for fact, about in facts.items()
        )
        columns = [Column("fact"), Column("count", "int"), Column("share", "float")]
        return to_frame(rows, [*columns, Column("about")])

    def __str__(self) -> str:
        """Say it in a few lines."""
        counts = Counter(one.problem for one in self.stored if one.problem)
        head = f"{len(self)} vectors of {self.width} numbers by {self.model}"
        lines = [f"{count} {problem}: {_FACTS[problem]}" for problem, count in counts.items()]
        return "\n".join([head if self.ids else "no vectors", *lines])

    __repr__ = __str__


def stored_widths(snapshot: Snapshot) -> Counter[int]:
    """Return how many stored vectors have which width; counted once per snapshot."""
    if snapshot.widths is None:
        rows = snapshot.rows(
            "SELECT json_array_length(embedding_json) AS width, count(*) AS n"
            " FROM memory_embeddings WHERE json_valid(embedding_json)"
            " AND json_type(embedding_json) = 'array' GROUP BY width"
        )
        snapshot.widths = Counter(
            {int(row["width"]): int(row["n"]) for row in rows if row["width"]}
        )
    return snapshot.widths


def _most(values: Sequence[Any]) -> Any:
    return Counter(values).most_common(1)[0][0] if values else None


def read_vectors(snapshot: Snapshot, now: str) -> Vectors:
    """Read and judge all embeddings; ``now`` is when the state of memories is judged."""
    rows = snapshot.rows("SELECT memory_id, embedding_json AS vector, model FROM memory_embeddings")
    parsed = {str(row["memory_id"]): parse_vector(row["vector"]) for row in rows}
    models = {str(row["memory_id"]): row["model"] for row in rows}
    usual = _Usual(
        _most([len(vector) for vector in parsed.values() if vector]),
        _most([models[key] for key, vector in parsed.items() if vector]),
    )
    first: dict[tuple[float, ...], tuple[str, str]] = {}
    stored: list[StoredVector] = []
    for memory in read_memories(snapshot, now):
        vector = parsed.get(memory.id)
        same = first.setdefault(vector, (memory.id, memory.text)) if vector else None
        twin = same[0] if same and same[1] != memory.text else None
        known = memory.id in parsed
        stored.append(
            StoredVector(
                memory.id,
                memory.tier,
                memory.state,
                models.get(memory.id),
                *_measure(vector),
                problem=usual.problem(known, vector, models.get(memory.id), twin),
                same_as=twin,
            )
        )
    there = {one.id for one in stored}
    stored += [
        StoredVector(key, model=models[key], problem="orphan") for key in parsed if key not in there
    ]
    ids = tuple(one.id for one in stored if one.width == usual.width and one.width)
    return Vectors(ids, _matrix(ids, parsed, usual.width), usual.model, usual.width, tuple(stored))


def _measure(vector: Sequence[float] | None) -> tuple[int | None, float | None]:
    if vector is None:
        return None, None
    return len(vector), math.sqrt(math.fsum(value * value for value in vector))


def _matrix(
    ids: Sequence[str], parsed: Mapping[str, tuple[float, ...] | None], width: int | None
) -> Matrix:
    matrix = np.array([parsed[key] for key in ids], dtype=np.float64).reshape(len(ids), width or 0)
    matrix.flags.writeable = False
    return matrix


@dataclass(frozen=True, slots=True)
class _Usual:
    """The width and model of most vectors."""

    width: int | None
    model: str | None

    def problem(
        self, known: bool, vector: Sequence[float] | None, model: str | None, twin: str | None
    ) -> str | None:
        """Name the first problem of a memory's vector."""
        if not known:
            return "without"
        if not vector:
            return "unreadable"
        found = {
            "zero": not any(vector),
            "other width": len(vector) != self.width,
            "other model": model != self.model,
            "duplicate": twin is not None,
        }
        return next((name for name, is_so in found.items() if is_so), None)
