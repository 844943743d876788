"""The memory that is asked about: its row, and the recall that it was or was not part of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..candidates import TIERS, Tier, TierSearch
from ..pipeline import Query, Run
from ..records import Record, memory_record
from ..scoring import Scored
from ..snapshot import Row, Snapshot

__all__ = ["Subject", "find_subject"]


@dataclass(frozen=True)
class Subject:
    """A stored row in the light of one recall."""

    run: Run
    snapshot: Snapshot
    tier: Tier
    row: Row

    @property
    def query(self) -> Query:
        """Return the query."""
        return self.run.query

    @property
    def id(self) -> str:
        """Return the memory's id."""
        return str(self.row["id"])

    @property
    def key(self) -> tuple[str, str]:
        """Return tier and id."""
        return self.tier.name, self.id

    @property
    def place(self) -> Any:
        """Return what full text and vectors call the row: its id, or its row number."""
        return self.row[self.tier.key]

    @property
    def search(self) -> TierSearch | None:
        """Return what the tier was asked; None where it was left out."""
        return next((s for s in self.run.searches if s.tier == self.tier.name), None)

    @property
    def scored(self) -> Scored | None:
        """Return its score, if it was a candidate."""
        return next((s for s in self.run.scored if s.candidate.key == self.key), None)

    @property
    def record(self) -> Record | None:
        """Return it as a result, if it was a candidate."""
        known = next((record for record in self.run.ranked if record.key == self.key), None)
        if known is None and self.scored is not None:
            return memory_record(self.scored, self.query.options.preview_chars)
        return known


def find_subject(run: Run, snapshot: Snapshot, key: str) -> Subject | None:
    """Look an id up in both tiers."""
    for tier in TIERS:
        rows = snapshot.rows(
            f"SELECT rowid AS rowid, * FROM {tier.table} WHERE id = ?",
            (key,),
        )
        if rows:
            return Subject(run, snapshot, tier, rows[0])
    return None
