"""Means, groups, percentiles and misses of an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from ..errors import InputError
from ..frames import Column, to_frame
from .rows import first_ranks

if TYPE_CHECKING:
    from .evaluation import Evaluation

__all__ = ["FailedRule", "by_group", "latency", "means", "misses"]

FailedRule = Literal["skip", "zero"]
CASE_FIELDS = ("category", "kind", "bank", "level", "outcome")
LABEL_FIELDS = ("tier", "state", "length", "script", "grade")
MEAN_COLUMNS = (
    Column("measure"),
    Column("mean", "float"),
    Column("cases", "int"),
    Column("failed", "int"),
)
MISS_COLUMNS = (
    Column("id"),
    Column("category"),
    Column("query"),
    Column("relevant", "object"),
    Column("recalled", "object"),
    Column("state"),
    Column("notes"),
)


def means(run: Evaluation, failed: FailedRule | None) -> pd.DataFrame:
    """Return the mean of each measure."""
    table = _ready(run, failed)
    rows = []
    for name in map(str, run.measures):
        values = table[name].dropna()
        rows.append(
            {"measure": name, "mean": values.mean() if len(values) else None, "cases": len(values)}
            | {"failed": int(table["failed"].sum())}
        )
    return to_frame(rows, MEAN_COLUMNS)


def _ready(run: Evaluation, failed: FailedRule | None) -> pd.DataFrame:
    """Return the frame of cases with failures treated as asked; refuse to guess."""
    table = run.frame()
    bad = table["failed"].astype(bool)
    if failed not in (None, "skip", "zero"):
        raise InputError(f"failed={failed!r} is neither 'skip' nor 'zero'.")
    if bad.any() and failed is None:
        endings = table.loc[bad, "outcome"].value_counts()
        said = ", ".join(f"{n} {ending}" for ending, n in endings.items())
        raise InputError(
            f"{bad.sum()} of {len(table)} cases failed ({said}), so there is no mean over all. "
            "Choose failed='skip' (over the answered ones) or failed='zero' (a failure finds "
            "nothing); .failures() lists them."
        )
    if failed == "zero":
        for name in rank_names(run):
            table.loc[bad & (table["kind"] == "labelled"), name] = 0.0
    return table


def rank_names(run: Evaluation) -> list[str]:
    """Return the names of the measures for which a failure can count as finding nothing."""
    own = {"Injected", "Tokens", "RelevantShare", "Seconds", "Leaked"}
    return [name for name in map(str, run.measures) if name.partition("@")[0] not in own]


def by_group(run: Evaluation, field: str, failed: FailedRule | None) -> pd.DataFrame:
    """Return the means of each group of cases, or the found share of each group of memories."""
    if field in LABEL_FIELDS:
        _ready(run, failed)
        groups = run.relevant().groupby(field, sort=True)
        shares = groups.agg(memories=("found", "size"), found=("found", "sum"))
        shares["share"] = (shares["found"] / shares["memories"]).astype("float64")
        return shares
    if field not in CASE_FIELDS:
        names = ", ".join((*CASE_FIELDS, *LABEL_FIELDS))
        raise InputError(f"There is nothing called {field!r} to group by. Choose one of: {names}.")
    table = _ready(run, failed)
    groups_of_cases = table.groupby(field, sort=True)
    counts = groups_of_cases.agg(cases=("id", "size"), failed=("failed", "sum"))
    return counts.join(groups_of_cases[[str(measure) for measure in run.measures]].mean())


def latency(run: Evaluation) -> pd.Series[float]:
    """Return percentiles of the seconds per answered case."""
    seconds = pd.Series(
        [a.seconds for a in run.answers.values() if a.outcome.answered], dtype=float
    )
    shares = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "max": 1.0}
    found = {name: seconds.quantile(share) for name, share in shares.items()}
    return pd.Series(found, name="seconds", dtype=float)


def misses(run: Evaluation, k: int | None) -> pd.DataFrame:
    """Return the labelled cases that found nothing relevant."""
    states = {(label.case, label.key): label.state for label in run.labels}
    rows: list[dict[str, Any]] = []
    for case in run.cases:
        answer = run.answers.get(case.id)
        if case.kind != "labelled" or answer is None or not answer.outcome.answered:
            continue
        ranks = first_ranks(answer.keys[:k])
        if any(key in ranks for key in case.wanted):
            continue
        best = case.wanted[0]
        rows.append(
            {"id": case.id, "category": case.category, "query": answer.query, "notes": case.notes}
            | {"relevant": list(case.wanted), "recalled": list(answer.keys[: k or 5])}
            | {"state": states.get((case.id, best), "")}
        )
    return to_frame(rows, MISS_COLUMNS)
