"""What a comparison with the real engine found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ...frames import Column, to_frame

__all__ = ["Agreement", "Difference", "differences"]

_COLUMNS = (
    Column("query"), Column("rank", "int"), Column("field"), Column("memlab", "object"),
    Column("engine", "object"),
)  # fmt: skip
_SHOWN = 10
_ABSENT = "(absent)"


@dataclass(frozen=True, slots=True)
class Difference:
    """One value in which two answers to a query differ; ``rank`` counts the hits from 1.

    ``field`` is a field of the hit, "hits" where the numbers of hits differ, or
    "error" where one side failed.
    """

    query: str
    rank: int | None
    field: str
    memlab: Any
    engine: Any

    def __str__(self) -> str:
        """Say it in one line."""
        place = "" if self.rank is None else f" hit {self.rank}"
        return (
            f"{self.query!a:.80}{place} {self.field}: memlab {self.memlab!a:.80}, "
            f"engine {self.engine!a:.80}"
        )


@dataclass(frozen=True, repr=False)
class Agreement:
    """How far memlab's recall and the real engine's agree on a bank.

    ``asked`` queries gave ``hits`` hits of the engine; ``equal`` of the
    queries agreed in every field of every hit and in their order.
    ``versions`` are those of the engine.
    """

    bank: str
    asked: int
    equal: int
    hits: int
    differences: tuple[Difference, ...]
    versions: Mapping[str, Any]

    @property
    def ok(self) -> bool:
        """Tell whether all agreed."""
        return self.equal == self.asked

    def frame(self) -> pd.DataFrame:
        """Return one row per difference: query, rank, field, memlab, engine."""
        names = [column.name for column in _COLUMNS]
        return to_frame(
            ({name: getattr(one, name) for name in names} for one in self.differences), _COLUMNS
        )

    def __str__(self) -> str:
        """Say it in a few lines."""
        engine = f"mnemopi {self.versions.get('mnemopi')} on Bun {self.versions.get('bun')}"
        head = (
            f"{self.bank}: {self.equal} of {self.asked} queries equal ({self.hits} hits), {engine}"
        )
        lines = [f"  {one}" for one in self.differences[:_SHOWN]]
        more = len(self.differences) - _SHOWN
        return "\n".join([head, *lines, *([f"  and {more} more"] if more > 0 else [])])

    __repr__ = __str__


def differences(
    query: str, ours: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]
) -> Iterator[Difference]:
    """Yield every value in which two lists of hits differ."""
    if len(ours) != len(theirs):
        yield Difference(query, None, "hits", len(ours), len(theirs))
    for rank, (mine, real) in enumerate(zip(ours, theirs, strict=False), start=1):
        if mine == real:
            continue
        if mine.get("id") != real.get("id"):  # another memory: its fields say nothing
            yield Difference(query, rank, "id", mine.get("id"), real.get("id"))
            continue
        for name in sorted(mine.keys() | real.keys()):
            left, right = mine.get(name, _ABSENT), real.get(name, _ABSENT)
            if left != right:
                yield Difference(query, rank, name, left, right)
