"""Means, groups, percentiles and misses of an evaluation."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from ..errors import InputError
from ..frames import Column, to_frame
from .case import Case
from .measures import Measure
from .own import OwnMeasure
from .rows import QUARTILES, first_ranks
from .statistics import spread

if TYPE_CHECKING:
    from .evaluation import Evaluation

__all__ = ["FailedRule", "by_group", "latency", "means", "misses"]

FailedRule = Literal["skip", "zero"]
CASE_FIELDS = ("category", "kind", "bank", "level", "outcome")
LABEL_FIELDS = ("tier", "state", "length", "script", "grade", "stage")
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
    bad = len(failed_cases(run))
    rows = (
        {"measure": name, "mean": mean, "cases": count, "failed": bad}
        for name, mean, count in mean_values(run, failed)
    )
    return to_frame(rows, MEAN_COLUMNS)


def intervals(run: Evaluation, level: float, seed: int) -> pd.DataFrame:
    """Return the means with bootstrap intervals."""
    if not 0.5 < level < 1:
        raise InputError(f"level={level} must lie between 0.5 and 1.")
    table = means(run, "skip")
    bounds = []
    for name in table["measure"]:
        values = [run.values[case.id].get(name) for case in run.cases]
        known = np.array([value for value in values if value is not None], dtype=float)
        usual = (math.nan, math.nan)
        low, high = spread(known, level=level, resamples=5000, seed=seed) if len(known) else usual
        bounds.append((low, high))
    table.insert(2, "low", [low for low, _ in bounds])
    table.insert(3, "high", [high for _, high in bounds])
    return table


def mean_values(
    run: Evaluation, failed: FailedRule | None
) -> Iterator[tuple[str, float | None, int]]:
    """Yield name, mean and number of cases of each measure; no case gives no mean."""
    bad = _checked(run, failed)
    for measure in run.measures:
        values = [run.values[case.id].get(str(measure)) for case in run.cases]
        known = [value for value in values if value is not None and not math.isnan(value)]
        if failed == "zero" and can_be_zero(measure):
            known += [0.0] * sum(case.kind == "labelled" for case in bad)
        yield str(measure), sum(known) / len(known) if known else None, len(known)


def failed_cases(run: Evaluation) -> list[Case]:
    """Return the cases that have no answer."""
    found = ((case, run.answers.get(case.id)) for case in run.cases)
    return [case for case, answer in found if answer is None or not answer.outcome.answered]


def endings_of(run: Evaluation, cases: list[Case]) -> str:
    """Return how many cases ended how, in words."""
    answers = (run.answers.get(case.id) for case in cases)
    counts = Counter("not asked" if one is None else one.outcome.value for one in answers)
    return ", ".join(f"{n} {ending}" for ending, n in counts.most_common())


def _checked(run: Evaluation, failed: FailedRule | None) -> list[Case]:
    """Return the failed cases; refuse to average over them unless told how."""
    if failed not in (None, "skip", "zero"):
        raise InputError(f"failed={failed!r} is neither 'skip' nor 'zero'.")
    bad = failed_cases(run)
    if bad and failed is None:
        raise InputError(
            f"{len(bad)} of {len(run)} cases failed ({endings_of(run, bad)}), so there is no mean "
            "over all. Choose failed='skip' (over the answered ones) or failed='zero' (a failure "
            "finds nothing); .failures() lists them."
        )
    return bad


def can_be_zero(measure: Measure) -> bool:
    """Tell whether a failure can count as 0: for what was found, not for what it cost."""
    return not isinstance(measure, OwnMeasure) or measure.name in ("Covered", "RAll")


def _ready(run: Evaluation, failed: FailedRule | None) -> pd.DataFrame:
    """Return the frame of cases with failures treated as asked."""
    _checked(run, failed)
    table = run.frame()
    if failed == "zero":
        rows = table["failed"].astype(bool) & (table["kind"] == "labelled")
        for name in [str(measure) for measure in run.measures if can_be_zero(measure)]:
            table.loc[rows, name] = 0.0
    return table


def by_group(run: Evaluation, field: str, failed: FailedRule | None) -> pd.DataFrame:
    """Return the means of each group of cases, or the found share of each group of memories."""
    if field in LABEL_FIELDS:
        _ready(run, failed)
        table = run.relevant()
        table[field] = table[field].replace("", "unknown")
        groups = table.groupby(field, sort=True)
        shares = groups.agg(memories=("found", "size"), found=("found", "sum"))
        shares["share"] = (shares["found"] / shares["memories"]).astype("float64")
        if field == "length":  # by size, not by name
            known = set(shares.index)
            shares = shares.reindex(
                [*(n for n in QUARTILES if n in known), *sorted(known - {*QUARTILES})]
            )
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
