"""Both directions of provenance, as frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ...errors import InputError
from ...frames import Column, to_frame
from .matching import Match
from .pieces import Piece, Said

__all__ = ["Provenance"]

MEMORY_COLUMNS = (
    Column("memory"),
    Column("part", "int"),
    Column("confidence", "float"),
    Column("overlap", "float"),
    Column("same_session", "bool"),
    Column("same_cwd", "bool"),
    Column("minutes", "float"),
    Column("via"),
    Column("memory_text"),
    Column("session_id"),
    Column("line_no", "int"),
    Column("kind"),
    Column("role"),
    Column("ts", "time"),
    Column("text"),
    Column("prompt"),
    Column("path"),
)
TURN_COLUMNS = (
    Column("session_id"),
    Column("line_no", "int"),
    Column("kind"),
    Column("role"),
    Column("ts", "time"),
    Column("text"),
    Column("remembered", "float"),
    Column("memory"),
    Column("on_active_path", "bool"),
    Column("is_subagent", "bool"),
    Column("path"),
)
SPEECH = ("prompt", "reply")


@dataclass(frozen=True, repr=False)
class Provenance:
    """Where memories come from, and what was said and never kept.

    ``.frame()`` goes from memories to log lines, ``.turns()`` from log lines to memories.
    """

    pieces: Sequence[Piece]
    said: Sequence[Said]
    best: Mapping[tuple[str, int], tuple[Match, str | None]]
    kept: Mapping[int, tuple[float, Piece]]
    prompts: Mapping[int, Said]

    def frame(self, *, at_least: float = 0.0) -> pd.DataFrame:
        """Return one row per memory, or per message of a transcript, with its best line.

        Columns: memory, part, confidence (0 to 1), overlap (share of its words that the
        line has, rare words counting more), same_session, same_cwd, minutes (from the line to the memory), via (the
        memory that a summary was made of), memory_text, and of the line: session_id,
        line_no, kind, role, ts, text, prompt (what began its turn), path. A memory without
        a line has confidence 0. ``at_least`` leaves out rows of less confidence.
        """
        rows = (row for row in self._memory_rows() if row["confidence"] >= at_least)
        return to_frame(rows, MEMORY_COLUMNS)

    def turns(self) -> pd.DataFrame:
        """Return one row per prompt and reply, with how much of it some memory keeps.

        Columns: session_id, line_no, kind, role, ts, text, remembered (the largest share of
        its words that one memory has, 0 to 1), memory, on_active_path, is_subagent, path.
        """
        return to_frame(self._turn_rows(), TURN_COLUMNS)

    def unremembered(self, *, below: float = 0.5) -> pd.DataFrame:
        """Return the turns of which no memory keeps as much as ``below``."""
        turns = self.turns()
        return turns[turns["remembered"] < below].reset_index(drop=True)

    def of(self, memory: str) -> pd.DataFrame:
        """Return the rows of one memory. Raises InputError if it was not asked about."""
        frame = self.frame()
        rows = frame[frame["memory"] == memory].reset_index(drop=True)
        if rows.empty:
            raise InputError(f"There is no memory {memory!r} among the {len(self.pieces)} pieces.")
        return rows

    def _memory_rows(self) -> Iterator[dict[str, Any]]:
        for piece in self.pieces:
            row = {"memory": piece.memory, "part": piece.part, "memory_text": piece.text}
            found = self.best.get((piece.memory, piece.part))
            yield {**row, "confidence": 0.0, "overlap": 0.0, **self._line(found)}

    def _line(self, found: tuple[Match, str | None] | None) -> dict[str, Any]:
        if found is None:
            return {}
        match, via = found
        said = match.said
        prompt = self.prompts.get(said.place)
        return {
            "confidence": match.confidence,
            "overlap": match.overlap,
            "same_session": match.same_session,
            "same_cwd": match.same_cwd,
            "minutes": match.minutes,
            "via": via,
            "prompt": prompt.text if prompt else None,
            **_of_row(said),
        }

    def _turn_rows(self) -> Iterator[dict[str, Any]]:
        for said in self.said:
            if said.kind in SPEECH:
                share, piece = self.kept.get(said.place, (0.0, None))
                memory = piece.memory if piece else None
                yield {**said.row, **_of_row(said), "remembered": share, "memory": memory}

    def __repr__(self) -> str:
        sure = sum(match.confidence >= 0.5 for match, _ in self.best.values())
        return (
            f"Provenance({len(self.pieces)} pieces of memories, {len(self.best)} with a line in "
            f"the logs, {sure} of confidence 0.5 and more)"
        )


def _of_row(said: Said) -> dict[str, Any]:
    names = ("session_id", "line_no", "kind", "role", "path")
    return {**{name: said.row[name] for name in names}, "ts": said.time, "text": said.text}
