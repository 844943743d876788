"""What was wrong in a data set, counted, with an example and what was done about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import pandas as pd

from ..frames import Column, to_frame

__all__ = ["Dirt", "dirt_frame"]

COLUMNS = (Column("problem"), Column("count", "int"), Column("done"), Column("example"))


@dataclass
class Dirt:
    """Collects what a reader comes upon."""

    _counts: dict[tuple[str, str], int] = field(default_factory=dict)
    _examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def note(self, problem: str, done: str, example: object, count: int = 1) -> None:
        """Count a problem, and keep its first example."""
        place = (problem, done)
        self._counts[place] = self._counts.get(place, 0) + count
        self._examples.setdefault(place, str(example))

    def rows(self) -> tuple[tuple[str, int, str, str], ...]:
        """Return problem, count, what was done, example; the most frequent first."""
        found = [
            (problem, count, done, self._examples[problem, done])
            for (problem, done), count in self._counts.items()
        ]
        return tuple(sorted(found, key=lambda row: (-row[1], row[0])))


def dirt_frame(rows: Iterable[tuple[str, int, str, str]]) -> pd.DataFrame:
    """Return the problems as a frame: problem, count, done, example."""
    names = ("problem", "count", "done", "example")
    return to_frame((dict(zip(names, row, strict=True)) for row in rows), COLUMNS)
