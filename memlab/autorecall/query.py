"""A composed query, and what became of every line it was made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from ..frames import Column, to_frame
from ..text.javascript import length, well_formed
from ..text.tokens import count_tokens, estimate_tokens

if TYPE_CHECKING:
    from .report import QueryReport

__all__ = ["ComposedQuery", "Line"]

LINE_COLUMNS = (
    Column("message", "int"),
    Column("role"),
    Column("part"),
    Column("kept", "bool"),
    Column("why"),
    Column("chars", "int"),
    Column("text"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line that could have been asked: where it stood, and whether it was.

    ``message`` is the place in the conversation, ``part`` "context" or "prompt";
    ``why`` says why it was dropped and is empty where it was kept. ``labelled``
    tells that the line carries the role of its message in the query.
    """

    message: int
    role: str
    part: str
    text: str
    why: str = ""
    labelled: bool = False

    @property
    def kept(self) -> bool:
        """Tell whether the line is in the query."""
        return not self.why

    @property
    def shown(self) -> str:
        """Return the line as it stands in the query, half emojis as U+FFFD."""
        label = f"{self.role}: " if self.labelled else ""
        return well_formed(f"{label}{self.text}")

    def record(self) -> dict[str, Any]:
        """Return one row of a table of lines."""
        names = ("message", "role", "part", "kept", "why")
        row = {name: getattr(self, name) for name in names}
        return {**row, "chars": length(self.text), "text": well_formed(self.text)}


@dataclass(frozen=True)
class ComposedQuery:
    """What would be asked of a conversation, and what was left out on the way.

    ``text_utf16`` is the query exactly as the agent sends it; ``text`` the same
    with half emojis replaced, fit to be printed and stored. ``full`` is the
    query before it was cut. Lengths are in UTF-16 units. ``notes`` are
    sentences about traps that this conversation runs into.
    """

    text_utf16: str
    full: str = field(repr=False)
    lines: tuple[Line, ...] = field(repr=False)
    strategy: str = "agent"
    turns: int = 0
    max_chars: int = 0
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the query with half emojis replaced by U+FFFD."""
        return well_formed(self.text_utf16)

    @property
    def kept(self) -> tuple[Line, ...]:
        """Return the lines that are asked, in order."""
        return tuple(line for line in self.lines if line.kept)

    @property
    def dropped(self) -> tuple[Line, ...]:
        """Return the lines that are not asked, each with its reason."""
        return tuple(line for line in self.lines if not line.kept)

    @property
    def was_truncated(self) -> bool:
        """Tell whether the strategy made the query other than it was composed."""
        return self.text_utf16 != self.full

    @property
    def chars(self) -> int:
        """Return the length of the query in UTF-16 units."""
        return length(self.text_utf16)

    @property
    def dropped_chars(self) -> int:
        """Return how many UTF-16 units the composed query lost."""
        return max(0, length(self.full) - self.chars)

    @property
    def tokens(self) -> int:
        """Return the tokens of the query, by the vocabulary of Hindsight 1.1."""
        return count_tokens([self.text_utf16])[0]

    @property
    def estimate(self) -> int:
        """Return the tokens of the query as the agent estimates them: a quarter of its units."""
        return estimate_tokens(self.text_utf16)

    def frame(self) -> pd.DataFrame:
        """Return one row per line: message, role, part, kept, why, chars, text."""
        return to_frame((line.record() for line in self.lines), LINE_COLUMNS)

    def report(self) -> QueryReport:
        """Return the report of this query: text in a terminal, marked lines in a notebook."""
        from .report import QueryReport  # it needs this module

        return QueryReport(self)

    def __str__(self) -> str:
        """Return the query itself."""
        return self.text

    def _repr_html_(self) -> str:
        """Show the report."""
        return self.report().html
