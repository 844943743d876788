"""How many memories reached each stage of a recall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pandas as pd

from ...frames import Column, to_frame
from ..candidates import TIERS
from ..pipeline import Run
from ..records import Record
from ..snapshot import Snapshot
from ..visibility import fact_owner

__all__ = ["FUNNEL_COLUMNS", "funnel", "funnel_rows"]

FUNNEL_COLUMNS = (
    Column("stage"),
    Column("working", "int"),
    Column("episodic", "int"),
    Column("facts", "int"),
    Column("total", "int"),
    Column("lost", "int"),
    Column("about"),
)


def _stored(snapshot: Snapshot) -> Counter[str]:
    counts: Counter[str] = Counter()
    for tier in TIERS:
        counts[tier.name] = snapshot.rows(f"SELECT count(*) AS n FROM {tier.table}")[0]["n"]
    counts["fact"] = snapshot.rows("SELECT count(*) AS n FROM facts")[0]["n"]
    return counts


def _visible(run: Run, snapshot: Snapshot) -> Counter[str]:
    where = run.query.where
    counts: Counter[str] = Counter()
    for tier in TIERS:
        if tier.name == "working" and not run.query.options.include_working:
            continue
        rows = snapshot.rows(
            f"SELECT count(*) AS n FROM {tier.table} WHERE {where.sql}", where.params
        )
        counts[tier.name] = rows[0]["n"]
    owner = fact_owner(run.query.session, snapshot.facts_have_scope)
    owned = snapshot.rows(f"SELECT count(*) AS n FROM facts WHERE {owner.sql}", owner.params)
    asked = run.fact_search is not None and run.fact_search.room > 0
    counts["fact"] = owned[0]["n"] if asked else 0
    return counts


def _tally(records: Iterable[Record]) -> Counter[str]:
    return Counter(str(record.fields["tier"]) for record in records)


def _stages(run: Run, snapshot: Snapshot) -> list[tuple[str, Counter[str], str]]:
    """Return each stage with what reached it. Facts wait until the last one."""
    search = run.fact_search
    matched = Counter(one.tier for found in run.searches for one in found.candidates)
    relevant, unhidden = _tally(run.ranked), _tally(run.unhidden)
    covered, kept = _tally(run.covered), _tally(run.memories)
    if search is not None:
        matched["fact"] = len(search.matched)
        relevant["fact"] = sum(record.score > 0 for record in search.matched)
        for later in (unhidden, covered):
            later["fact"] = relevant["fact"]
        kept["fact"] = len(search.kept)
    scanned = [one.tier for one in run.searches if one.scanned and one.candidates]
    ways = f"newest rows were scanned in {' and '.join(scanned)}" if scanned else ""
    return [
        ("stored", _stored(snapshot), "all rows of the bank"),
        ("visible", _visible(run, snapshot), "valid, in scope, let through by the options"),
        ("matched", matched, ways or "by words or vectors"),
        ("relevant", relevant, "above the threshold"),
        ("no summary of another", unhidden, "summaries of found memories are dropped"),
        ("coverage", covered, "score and new words of the query"),
        ("picked", kept, "by MMR and the pass's limit; facts: their share"),
        ("returned", _tally(run.final), "memories and facts, by MMR and the limit"),
    ]


def funnel_rows(run: Run, snapshot: Snapshot) -> list[dict[str, Any]]:
    """Return the stages of a recall as records."""
    rows: list[dict[str, Any]] = []
    before: int | None = None
    for stage, counts, about in _stages(run, snapshot):
        total = sum(counts.values())
        rows.append(
            {
                "stage": stage,
                "working": counts["working"],
                "episodic": counts["episodic"],
                "facts": counts["fact"],
                "total": total,
                "lost": None if before is None else before - total,
                "about": about,
            }
        )
        before = total
    return rows


def funnel(run: Run, snapshot: Snapshot) -> pd.DataFrame:
    """Return how many memories reached each stage: a frame with one row per stage.

    Columns: stage, working, episodic, facts, total, lost (since the stage before), about.
    """
    return to_frame(funnel_rows(run, snapshot), FUNNEL_COLUMNS)
