"""Stored memories and facts, and lists of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, overload

import pandas as pd

from ..frames import Column, to_frame

__all__ = ["Fact", "Facts", "Memories", "Memory"]

MEMORY_COLUMNS = (
    Column("id"),
    Column("tier"),
    Column("state"),
    Column("time", "time"),
    Column("type"),
    Column("source"),
    Column("veracity"),
    Column("importance", "float"),
    Column("scope"),
    Column("session"),
    Column("tags", "object"),
    Column("chars", "int"),
    Column("has_vector", "bool"),
    Column("recalls", "int"),
    Column("text"),
    Column("created", "time"),
    Column("last_recalled", "time"),
    Column("valid_until", "time"),
    Column("superseded_by"),
    Column("metadata", "object"),
)
FACT_COLUMNS = (
    Column("id"),
    Column("subject"),
    Column("predicate"),
    Column("object"),
    Column("time", "time"),
    Column("confidence", "float"),
    Column("session"),
    Column("memory"),
    Column("created", "time"),
)


@dataclass(frozen=True, slots=True)
class Memory:
    """One stored memory.

    ``state`` is live, expired, superseded or consolidated (still recalled, but
    a summary exists). ``chars`` counts UTF-16 units, as the agents do. Times
    are UTC, or None where the stored text is no time; ``raw`` is the stored row.
    """

    id: str
    text: str
    tier: str
    state: str
    time: datetime | None = None
    type: str | None = None
    source: str | None = None
    veracity: str | None = None
    importance: float | None = None
    scope: str | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    chars: int = 0
    has_vector: bool = False
    recalls: int = 0
    created: datetime | None = None
    last_recalled: datetime | None = None
    valid_until: datetime | None = None
    superseded_by: str | None = None
    metadata: Mapping[str, Any] | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def frame(self) -> pd.DataFrame:
        """Return every stored field as a frame: field, value."""
        rows = ({"field": name, "value": value} for name, value in self.raw.items())
        return to_frame(rows, [Column("field"), Column("value", "object")])


@dataclass(frozen=True, slots=True)
class Fact:
    """One extracted fact: subject, predicate, object; ``memory`` is the id it came from."""

    id: str
    subject: str
    predicate: str
    object: str
    time: datetime | None = None
    confidence: float | None = None
    session: str | None = None
    memory: str | None = None
    created: datetime | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


Item = TypeVar("Item", bound=Memory | Fact)


class _Listing(Sequence[Item]):
    """An immutable list of values that knows its frame."""

    _columns: tuple[Column, ...] = ()

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = tuple(items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)}); .frame() shows them"

    def frame(self) -> pd.DataFrame:
        """Return one row per item, with the columns named in the class."""
        names = [column.name for column in self._columns]
        rows = ({name: getattr(item, name) for name in names} for item in self._items)
        return to_frame(rows, self._columns)


class Memories(_Listing[Memory]):
    """The memories of a bank, in the bank's order; ``.frame()`` gives one row each.

    Columns: id, tier, state, time, type, source, veracity, importance, scope,
    session, tags, chars (UTF-16 units), has_vector, recalls, text, created,
    last_recalled, valid_until, superseded_by, metadata.
    """

    _columns = MEMORY_COLUMNS


class Facts(_Listing[Fact]):
    """The facts of a bank; ``.frame()`` gives one row each.

    Columns: id, subject, predicate, object, time, confidence, session, memory, created.
    """

    _columns = FACT_COLUMNS
