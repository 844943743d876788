"""One recalled memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ..frames import Column, to_frame

__all__ = ["Hit"]

SCORE_PART = "score_"
"""Prefix of the columns that hold the parts of a score."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One recalled memory, with every part of its score.

    ``rank`` counts from 1. ``text`` is what the backend returned, which may be
    cut. ``scores`` maps each part of the score to its value, ``raw`` is the
    backend's whole record.
    """

    rank: int
    id: str
    text: str
    score: float | None
    tier: str
    source: str | None = None
    timestamp: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def frame(self) -> pd.DataFrame:
        """Return the parts of the score as a frame: part, value."""
        parts = {"score": self.score, **self.scores}
        rows = ({"part": part, "value": value} for part, value in parts.items())
        return to_frame(rows, [Column("part"), Column("value", "float")])

    def record(self) -> dict[str, Any]:
        """Return one row of a table of hits."""
        row = {name: getattr(self, name) for name in ("rank", "id", "score", "tier", "source")}
        parts = {SCORE_PART + part: value for part, value in self.scores.items()}
        return {**row, "timestamp": self.timestamp, "text": self.text, **parts}
