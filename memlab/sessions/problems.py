"""What is wrong with a log, beside what could be read of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

import pandas as pd

from ..errors import FormatError
from ..frames import Column, to_frame

__all__ = ["Problem", "Problems"]

COLUMNS = (Column("path"), Column("line", "int"), Column("why"))


class Problem(NamedTuple):
    """One thing that is wrong: the file, the line counted from 1 (0: the whole file), and why."""

    path: str
    line: int
    why: str

    def __str__(self) -> str:
        """Show it as compilers show theirs."""
        return f"{self.path}:{self.line}: {self.why}"


class Problems(Sequence[Problem]):
    """The problems of one log or of many, in the order they were met.

    ``.frame()`` gives one row each: path, line, why.
    """

    def __init__(self, items: Iterable[Problem] = ()) -> None:
        self._items = tuple(items)

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...
    def __getitem__(self, index: int | slice) -> Problem | Sequence[Problem]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._items)

    def __repr__(self) -> str:
        if not self._items:
            return "Problems(none)"
        shown = "\n".join(f"  {problem}" for problem in self._items[:20])
        more = f"\n  … and {len(self) - 20} more" if len(self) > 20 else ""
        return f"Problems({len(self)})\n{shown}{more}"

    def frame(self) -> pd.DataFrame:
        """Return one row per problem: path, line, why."""
        return to_frame((item._asdict() for item in self._items), COLUMNS)

    def check(self) -> None:
        """Raise FormatError if there is any problem."""
        if self._items:
            more = f" (and {len(self) - 1} more)" if len(self) > 1 else ""
            raise FormatError(
                f"{self._items[0]}{more}. Read with strict=False to get the rest of the log, "
                "with .problems beside it."
            )
