"""Polyphonic recall from beginning to end."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from numbers import Real
from typing import Any

from ...backends.query import query_text
from ...errors import InputError
from ...models import Hit, Outcome, Recall
from ...text.dates import iso_millis
from ..bank import Mnemopi
from ..options import RecallOptions
from ..snapshot import Row, Snapshot
from ..visibility import alive
from .fusion import Fused, diverse, fuse, shown, within
from .stored import parsed
from .voices import all_voices

__all__ = ["polyphonic_recall", "polyphonic_records"]

_COLUMNS = (
    "id, content, source, timestamp, session_id, importance, metadata_json, veracity, memory_type,"
    " recall_count, last_recalled, valid_until, superseded_by, scope, author_id, author_type,"
    " channel_id, trust_tier, created_at"
)
_TIERS = {"working": _COLUMNS, "episodic": f"{_COLUMNS}, rowid, summary_of"}


def _row(snapshot: Snapshot, key: str, session: str, now: str) -> Row | None:
    living = alive(now)
    for tier, columns in _TIERS.items():
        rows = snapshot.rows(
            f"SELECT {columns} FROM {tier}_memory WHERE id = ? AND {living.sql}"
            " AND (session_id = ? OR scope = 'global')",
            (key, *living.params, session),
        )
        if rows:
            return {**rows[0], "tier_name": tier}
    return None


def _metadata(text: object) -> dict[str, Any]:
    value = parsed(text)
    return value if isinstance(value, dict) else {}


def _record(row: Row, fused: Fused) -> dict[str, Any]:
    record = {name: value for name, value in row.items() if name != "recall_count"}
    if row["recall_count"] is not None:
        record["recall_count"] = row["recall_count"]
    return {
        **record,
        "metadata": {**_metadata(row["metadata_json"]), "polyphonic": fused.about},
        "score": fused.score,
        "combined_score": fused.score,
        "voice_scores": shown(fused.voices),
        "tier": row["tier_name"],
        "tier_label": row["tier_name"],
    }


def polyphonic_records(
    snapshot: Snapshot,
    query: str,
    *,
    session: str,
    now: str,
    limit: float = 10,
    query_vector: Sequence[float] | None = None,
    context_budget: float = 4000,
) -> list[dict[str, Any]]:
    """Return the engine's records, best first."""
    voices = all_voices(snapshot, query, query_vector, session, now)
    chosen = within(diverse(fuse(voices), limit), context_budget)
    rows = ((_row(snapshot, one.id, session, now), one) for one in chosen)
    return [_record(row, one) for row, one in rows if row is not None]


def polyphonic_recall(
    bank: Mnemopi,
    query: str,
    *,
    limit: float = 10,
    query_vector: Sequence[float] | None = None,
    context_budget: float = 4000,
    now: datetime | str | None = None,
) -> Recall:
    """Recall from a bank as the engine's polyphonic variant would; the agent never calls it.

    Four voices (vectors, the graph of names, consolidated facts, recent time)
    each name memories, and their ranks are added up. At most one result comes
    back per combination of voices, whatever ``limit`` is. ``context_budget`` is
    in tokens. Each hit's score parts are what its voices gave. (A stored
    importance or confidence that is no number counts as 0 here; the engine's order is then
    not determined.)

    Raises InputError or InvalidTime for what cannot be asked.
    """
    if not isinstance(bank, Mnemopi):
        raise InputError(f"Polyphonic recall asks one bank, not {type(bank).__name__}.")
    query = query_text(query)
    asked = RecallOptions.of({"limit": limit, "query_vector": query_vector, "now": now})
    clock = asked.now or iso_millis(datetime.now(UTC))
    budget = _tokens(context_budget)
    start = time.perf_counter()
    records = polyphonic_records(
        bank.snapshot, query, session=bank.bank, now=clock, limit=asked.limit,
        query_vector=asked.query_vector, context_budget=budget,
    )  # fmt: skip
    hits = tuple(_hit(record, rank) for rank, record in enumerate(records, start=1))
    options = {"limit": limit, "query_vector": asked.query_vector, "context_budget": budget}
    return Recall(
        query, hits, Outcome.OK if hits else Outcome.EMPTY, f"{bank.name} (polyphonic)",
        {**options, "now": clock}, time.perf_counter() - start,
    )  # fmt: skip


def _tokens(budget: object) -> float:
    if not isinstance(budget, Real) or not math.isfinite(budget):
        raise InputError(f"context_budget={budget!a:.80}: it is a number of tokens.")
    return float(budget)


def _hit(record: Mapping[str, Any], rank: int) -> Hit:
    return Hit(
        rank, str(record["id"]), str(record["content"]), record["score"], record["tier"],
        record["source"], record["timestamp"], dict(record["voice_scores"]), record,
    )  # fmt: skip
