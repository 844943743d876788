"""The answer of a backend to one query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import pandas as pd

from ..frames import Column, to_frame
from ..text.cell import table_cell
from ..text.javascript import well_formed
from ..text.terminal import printable
from .hit import SCORE_PART, Hit
from .outcome import Outcome

__all__ = ["HIT_COLUMNS", "Recall"]

HIT_COLUMNS = (
    Column("rank", "int"),
    Column("id"),
    Column("score", "float"),
    Column("tier"),
    Column("source"),
    Column("timestamp"),
    Column("text"),
)
_SHOWN = 120


@dataclass(frozen=True)
class Recall:
    """What a backend answered to one query: the hits in order, and how they came about.

    ``seconds`` is the time the backend took. ``options`` are all options in
    force, defaults included. Iterating gives the hits.
    """

    query: str
    hits: tuple[Hit, ...]
    outcome: Outcome
    backend: str
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    seconds: float = field(default=0.0, compare=False)

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids of the hits, best first."""
        return tuple(hit.id for hit in self.hits)

    @property
    def records(self) -> list[Mapping[str, Any]]:
        """Return the backend's own records of the hits, best first."""
        return [hit.raw for hit in self.hits]

    @property
    def text(self) -> str:
        """Return what the agent's recall tool would show for this answer."""
        return "\n\n".join(f"- {hit.text}" for hit in self.hits)

    def frame(self) -> pd.DataFrame:
        """Return the hits as a frame: rank, id, score, tier, source, timestamp, text, score parts.

        One row per hit, best first; the columns ``score_*`` are the parts of the score.
        """
        parts = dict.fromkeys(part for hit in self.hits for part in hit.scores)
        columns = [*HIT_COLUMNS, *(Column(SCORE_PART + part, "float") for part in parts)]
        return to_frame((hit.record() for hit in self.hits), columns)

    def __iter__(self) -> Iterator[Hit]:
        """Iterate over the hits, best first."""
        return iter(self.hits)

    def __len__(self) -> int:
        """Return the number of hits."""
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        """Return the hit at an index, counted from 0."""
        return self.hits[index]

    def __repr__(self) -> str:
        """Show the query and one line per hit."""
        head = f"{len(self.hits)} hits for {well_formed(self.query)!r} ({self.backend}, {self.outcome})"
        lines = (
            f"{hit.rank:>3}  {_number(hit.score):>6}  {hit.tier:<8} {hit.id}  {_short(hit.text)}"
            for hit in self.hits
        )
        return printable("\n".join([head, *lines]))

    def _repr_html_(self) -> str:
        """Show the hits as a table; memory text is escaped."""
        head = "".join(f"<th>{name}</th>" for name in ("", "id", "score", "tier", "text"))
        rows = "".join(
            "<tr>"
            + "".join(
                table_cell(cell, whole=True)
                for cell in (str(hit.rank), hit.id, _number(hit.score), hit.tier)
            )
            + table_cell(_short(hit.text))
            + "</tr>"
            for hit in self.hits
        )
        caption = f"{len(self.hits)} hits for <b>{escape(_short(self.query))}</b>"
        foot = f"{escape(self.backend)}, {escape(self.outcome)}"
        return f"<p>{caption} ({foot})</p><table><tr>{head}</tr>{rows}</table>"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _short(text: str) -> str:
    line = well_formed(" ".join(text.split()))  # a notebook cannot show half an emoji
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
