"""Candidates of a recall, tier by tier: full text, vectors, or the newest rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .options import RecallOptions
from .snapshot import Row, Snapshot
from .vectors import nearest
from .visibility import Condition, alive, newest_first, walks_filter_index

__all__ = ["Candidate", "Plan", "Tier", "TierSearch", "rank_shares", "search_tier"]

_COLUMNS = (
    "content, source, timestamp, session_id, importance, metadata_json, veracity, memory_type,"
    " recall_count, last_recalled, valid_until, superseded_by, scope, author_id, author_type,"
    " channel_id, event_date, event_date_precision, temporal_tags"
)
Way = Literal["fts", "vec", "fallback"]


@dataclass(frozen=True, slots=True)
class Tier:
    """Where a tier lives and in which order its rows come."""

    name: str
    table: str
    key: str
    columns: str
    full_text: str


WORKING = Tier(
    "working",
    "working_memory",
    "id",
    f"id, embed_text, {_COLUMNS}",
    "SELECT base.id AS key, rank FROM fts_working JOIN working_memory AS base"
    " ON base.id = fts_working.id WHERE fts_working MATCH ? AND {alive}"
    " ORDER BY rank, base.id LIMIT ?",
)
EPISODIC = Tier(
    "episodic",
    "episodic_memory",
    "rowid",
    f"rowid, id, summary_of, tier, {_COLUMNS}",
    "SELECT base.rowid AS key, rank FROM fts_episodes JOIN episodic_memory AS base"
    " ON base.rowid = fts_episodes.rowid WHERE fts_episodes MATCH ? AND {alive}"
    " ORDER BY rank, base.rowid LIMIT ?",
)
TIERS = (WORKING, EPISODIC)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that a recall looks at, and how it came in."""

    tier: str
    row: Row
    fts: float
    dense: float
    way: Way

    @property
    def key(self) -> tuple[str, str]:
        """Return tier and id."""
        return self.tier, str(self.row["id"])

    @property
    def text(self) -> str:
        """Return the text that the row is judged by: its embed text, else its content."""
        for name in ("embed_text", "content"):
            value = self.row.get(name)
            if isinstance(value, str) and value:
                return value
        return ""


@dataclass(frozen=True, slots=True)
class TierSearch:
    """What one tier was asked and what it gave; ``faults`` is why full text could not be searched."""

    tier: str
    fts: Mapping[Any, float]
    dense: Mapping[Any, float]
    keys: tuple[Any, ...]
    candidates: tuple[Candidate, ...]
    faults: tuple[str, ...] = ()

    @property
    def scanned(self) -> bool:
        """Tell whether the newest rows were scanned, for want of any match."""
        return not self.keys


def rank_shares(ranks: Sequence[float]) -> list[float]:
    """Map full-text ranks (negative, best lowest) to 1 for the best and 0 for the worst."""
    if not ranks:
        return []
    low, span = min(ranks), (max(ranks) - min(ranks)) or 1.0
    return [1 - (rank - low) / span for rank in ranks]


@dataclass(frozen=True, slots=True)
class Plan:
    """What both tiers are asked: the full-text query, visible rows, and how many of them.

    ``reach`` is how many rows full text and vectors may each bring.
    """

    match: str
    where: Condition
    now: str
    reach: float
    options: RecallOptions


def _full_text(snapshot: Snapshot, tier: Tier, plan: Plan, faults: list[str]) -> dict[Any, float]:
    condition = alive(plan.now, "base")
    rows = snapshot.matching(
        tier.full_text.format(alive=condition.sql),
        (plan.match, *condition.params, plan.reach),
        faults,
    )
    shares = rank_shares([row["rank"] for row in rows])
    return {row["key"]: share for row, share in zip(rows, shares, strict=True)}


def _fetch(
    snapshot: Snapshot, tier: Tier, keys: Sequence[Any], where: Condition, by_rowid: bool
) -> list[Row]:
    marks = ", ".join("?" * len(keys))
    order = "rowid" if by_rowid else tier.key
    return snapshot.rows(
        f"SELECT {tier.columns} FROM {tier.table} WHERE {tier.key} IN ({marks}) AND {where.sql}"
        f" ORDER BY {order}",
        (*keys, *where.params),
    )


def _newest(snapshot: Snapshot, tier: Tier, where: Condition, options: RecallOptions) -> list[Row]:
    return snapshot.rows(
        f"SELECT {tier.columns} FROM {tier.table} WHERE {where.sql}"
        f" ORDER BY {newest_first(options)} LIMIT ?",
        (*where.params, options.scan_limit),
    )


def search_tier(snapshot: Snapshot, tier: Tier, plan: Plan) -> TierSearch:
    """Return the candidates of one tier, in the order that decides ties."""
    options, where = plan.options, plan.where
    faults: list[str] = []
    fts = _full_text(snapshot, tier, plan, faults)
    dense: dict[Any, float] = {}
    if options.query_vector is not None:
        dense = nearest(snapshot, tier.table, tier.key, where, options)
    best = sorted(dense, key=lambda key: -dense[key])[: int(plan.reach)]
    keys = tuple(dict.fromkeys([*fts, *best]))
    if keys:
        by_rowid = walks_filter_index(options) and len(keys) >= 3
        rows = _fetch(snapshot, tier, keys, where, by_rowid)
    else:
        rows = _newest(snapshot, tier, where, options)
    candidates = (_candidate(tier, row, fts, dense) for row in rows)
    return TierSearch(tier.name, fts, dense, keys, tuple(candidates), tuple(faults))


def _candidate(
    tier: Tier, row: Row, fts: Mapping[Any, float], dense: Mapping[Any, float]
) -> Candidate:
    key = row[tier.key]
    closeness = dense.get(key, 0.0)
    way: Way = "fts" if key in fts else "vec" if closeness > 0 else "fallback"
    return Candidate(tier.name, row, fts.get(key, 0.0), closeness, way)
