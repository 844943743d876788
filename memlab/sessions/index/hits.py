"""What a session search returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any, overload

import pandas as pd

from ...frames import Column, to_frame
from ...text.cell import table_cell
from ...text.javascript import well_formed
from ..entry import moment
from ..pify.texts import hits_text

__all__ = ["SearchHits", "SessionHit"]

COLUMNS = (
    Column("rank", "int"),
    Column("id"),
    Column("score", "float"),
    Column("matched", "int"),
    Column("field"),
    Column("title"),
    Column("role"),
    Column("ts", "time"),
    Column("agent"),
    Column("project"),
    Column("snippet"),
    Column("on_active_path", "bool"),
    Column("is_subagent", "bool"),
    Column("session"),
    Column("session_id"),
    Column("line_no", "int"),
    Column("path"),
)


@dataclass(frozen=True, slots=True)
class SessionHit:
    """One line of a log that a search found.

    ``session`` is the name of the file, ``title`` the label the tool shows, ``time`` in
    milliseconds since 1970 (0: unknown). ``matched`` counts distinct words of the query,
    ``field`` is where most of them stand. ``path`` and ``line_no`` say where to look.
    """

    rank: int
    session: str
    title: str | None
    path: str
    time: float
    role: str
    snippet: str
    matched: int
    score: float
    field: str = "text"
    line_no: int = 0
    text: str = ""
    agent: str | None = None
    project: str | None = None
    cwd: str | None = None
    session_id: str | None = None
    entry_id: str | None = None
    on_active_path: bool = True
    is_subagent: bool = False
    key: str = ""

    @property
    def id(self) -> str:
        """Return a key that stays the same when the index is made anew: session#line.

        Where several logs have one name, the folder stands before it.
        """
        return f"{self.key or self.session}#{self.line_no}"

    @property
    def at(self) -> datetime | None:
        """Return the time in UTC, or None where it is unknown."""
        return moment(self.time) if self.time else None

    def record(self) -> dict[str, Any]:
        """Return one row of the frame of hits."""
        names = [column.name for column in COLUMNS if column.name != "ts"]
        return {**{name: _shown(getattr(self, name)) for name in names}, "ts": self.at}


def _shown(value: object) -> object:
    return well_formed(value) if isinstance(value, str) else value


class SearchHits(Sequence[SessionHit]):
    """The hits of one search, best first.

    ``indexed`` is the number of documents of the index. ``left_out`` are words that the
    ranking "bm25" found too common to ask for.
    """

    def __init__(
        self,
        query: str,
        ranking: str,
        hits: Sequence[SessionHit],
        *,
        indexed: int,
        left_out: tuple[str, ...] = (),
    ) -> None:
        self.query = query
        self.ranking = ranking
        self.indexed = indexed
        self.left_out = left_out
        self._hits = tuple(hits)

    @overload
    def __getitem__(self, index: int) -> SessionHit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SessionHit]: ...
    def __getitem__(self, index: int | slice) -> SessionHit | Sequence[SessionHit]:
        return self._hits[index]

    def __len__(self) -> int:
        return len(self._hits)

    def __iter__(self) -> Iterator[SessionHit]:
        return iter(self._hits)

    @property
    def text(self) -> str:
        """Return what the tool ``session_search`` shows for these hits, to the letter."""
        return hits_text(self.query, self._hits)

    def frame(self) -> pd.DataFrame:
        """Return one row per hit: rank, id, score, matched, field, title, role, ts, and where."""
        return to_frame((hit.record() for hit in self._hits), COLUMNS)

    def __repr__(self) -> str:
        head = f"{len(self)} hits for {self.query!r} ({self.ranking}, {self.indexed} documents)"
        lines = (
            f"{hit.rank:>3}  {hit.score:>7.3f}  {hit.role:<10} {hit.id}  {hit.snippet[:100]}"
            for hit in self
        )
        return "\n".join([head, *lines])

    def _repr_html_(self) -> str:
        """Show the hits as a table; the texts are escaped."""
        names = ("", "score", "session", "role", "when", "snippet")
        head = "".join(f"<th>{name}</th>" for name in names)
        rows = "".join(f"<tr>{_cells(hit)}</tr>" for hit in self)
        caption = f"{len(self)} hits for <b>{escape(well_formed(self.query))}</b> ({self.ranking})"
        return f"<p>{caption}</p><table><tr>{head}</tr>{rows}</table>"


def _cells(hit: SessionHit) -> str:
    when = f"{hit.at:%Y-%m-%d}" if hit.at else ""
    label = hit.session if hit.title is None else hit.title
    values = (str(hit.rank), f"{hit.score:.3f}", label, hit.role, when, hit.snippet)
    return "".join(table_cell(well_formed(value), whole=value is when) for value in values)
