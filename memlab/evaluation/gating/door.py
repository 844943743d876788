"""gate(): does a run hold what its baseline promises?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...errors import InputError
from ...files import expanded
from ..evaluation import Evaluation
from ..own import less_is_better
from ..statistics import paired
from ..summary import failed_cases
from .baseline import Baseline
from .result import GateReport
from .tolerance import Tolerance

__all__ = ["check", "gate", "judged"]

ALL = "all"


def gate(
    run: Evaluation,
    baseline: str | Path | Baseline,
    *,
    absolute: float | None = None,
    relative: float | None = None,
    significance: float | None = None,
    by_category: bool = False,
    update: bool = False,
) -> GateReport:
    """Hold a run against a baseline; raise GateFailed with a short diff where it is worse.

    Tolerances are those of :class:`Tolerance`; none given: those that the
    baseline was saved with. ``by_category`` holds every category, too.
    ``update=True`` writes the run as the new baseline, with these tolerances,
    and returns what that changes.

    Raises InputError where baseline and run are over other cases or labels.
    """
    report = judged(
        run, baseline, absolute=absolute, relative=relative, significance=significance,
        by_category=by_category, update=update,
    )  # fmt: skip
    return report if update else report.raise_if_failed()


def judged(
    run: Evaluation,
    baseline: str | Path | Baseline,
    *,
    absolute: float | None = None,
    relative: float | None = None,
    significance: float | None = None,
    by_category: bool = False,
    update: bool = False,
) -> GateReport:
    """Do what :func:`gate` does, without raising where the run is worse."""
    given = _given(absolute, relative, significance)
    if update:
        return _updated(run, baseline, given, by_category=by_category)
    known = baseline if isinstance(baseline, Baseline) else Baseline.load(baseline)
    return check(run, known, given, by_category=by_category)


def _given(
    absolute: float | None, relative: float | None, significance: float | None
) -> Tolerance | None:
    if absolute is None and relative is None and significance is None:
        return None
    return Tolerance(absolute or 0.0, relative or 0.0, significance)


def _updated(
    run: Evaluation, path: str | Path | Baseline, given: Tolerance | None, *, by_category: bool
) -> GateReport:
    if isinstance(path, Baseline):
        raise InputError("update=True writes a file: give the baseline's path.")
    place = expanded(path)
    fresh = Baseline.of(run, given)
    if not place.exists():
        fresh.save(place)
        return check(run, fresh, by_category=by_category)
    old = Baseline.load(place)
    if given is None:
        fresh = Baseline.of(run, old.tolerance)
    known = set(old.groups) == set(fresh.groups) and old.context.labels == fresh.context.labels
    report = check(run, old if known else fresh, given, by_category=by_category)
    fresh.save(place)
    return report


def check(
    run: Evaluation,
    baseline: Baseline,
    tolerance: Tolerance | None = None,
    *,
    by_category: bool = False,
) -> GateReport:
    """Hold a run against a baseline and say how it does, without raising where it is worse."""
    now = Baseline.of(run)
    _check_same(baseline, now)
    allowed = tolerance or baseline.tolerance
    rows = list(_rows(baseline, now, allowed, by_category=by_category))
    queries = {case.id: case.query for case in run.cases}
    failing = [case.id for case in failed_cases(run)]
    answered = {case for values in baseline.values.values() for case in values}
    around = baseline.context.differences(now.context)
    return GateReport(
        now.name,
        baseline.name,
        rows,
        _changed(baseline, now, queries),
        (baseline.failed, len(failing)),
        allowed,
        tuple(around),
        tuple(case for case in failing if case in answered),
    )


def _check_same(baseline: Baseline, now: Baseline) -> None:
    missing = [name for name in baseline.values if name not in now.values]
    if missing:
        raise InputError(
            f"The baseline holds {', '.join(missing)}, which the run does not measure. It has "
            f"{', '.join(now.values)}; use run.rescore([...])."
        )
    gone = sorted(set(baseline.groups) - set(now.groups))
    new = sorted(set(now.groups) - set(baseline.groups))
    if gone or new or baseline.context.cases != now.context.cases:
        raise InputError(
            f"The baseline is about other cases: {len(gone)} are gone, {len(new)} are new"
            f"{'' if gone or new else ', and some ask something else'}. Write a new one: "
            "update=True, or --update."
        )
    if baseline.context.labels != now.context.labels:
        raise InputError(
            "The labels have changed since the baseline was written, so its figures are about "
            "other answers. Write a new one: update=True, or --update."
        )


def _rows(
    baseline: Baseline, now: Baseline, allowed: Tolerance, *, by_category: bool
) -> Iterator[dict[str, Any]]:
    for measure, values in baseline.values.items():
        yield from _row(measure, ALL, values, now.values[measure], allowed)
        if not by_category:
            continue
        for group in sorted(set(baseline.groups.values())):
            mine = {case: v for case, v in values.items() if baseline.groups[case] == group}
            yield from _row(measure, group or "-", mine, now.values[measure], allowed)


def _row(
    measure: str,
    group: str,
    old: Mapping[str, float],
    new: Mapping[str, float],
    allowed: Tolerance,
) -> Iterator[dict[str, Any]]:
    known = [(old[case], new[case]) for case in old if case in new]
    if not known:
        return
    before, after = (np.array(column, dtype=float) for column in zip(*known, strict=True))
    change = float((after - before).mean())
    loss = change if less_is_better(measure) else -change
    room, p = allowed.room(float(before.mean())), None
    if loss <= 0:
        verdict = "ok" if math.isclose(loss, 0, abs_tol=1e-9) else "better"
    else:
        verdict = "ok" if loss <= room else "WORSE"
    if verdict == "WORSE" and allowed.significance is not None:
        p = paired(after - before, level=0.95, resamples=10_000, seed=0).p
        verdict = "WORSE" if p <= allowed.significance else "ok"
    yield {
        "measure": measure, "group": group, "cases": len(known), "baseline": float(before.mean()),
        "now": float(after.mean()), "change": change, "allowed": room, "p": p, "verdict": verdict,
    }  # fmt: skip


def _changed(baseline: Baseline, now: Baseline, queries: Mapping[str, str]) -> pd.DataFrame:
    """Return the values that changed, with the loss: positive where it got worse."""
    rows = []
    for measure, values in baseline.values.items():
        sign = 1 if less_is_better(measure) else -1
        for case, old in values.items():
            new = now.values[measure].get(case)
            if new is not None and old != new:
                rows.append((measure, case, queries.get(case, ""), old, new, sign * (new - old)))
    return pd.DataFrame(rows, columns=["measure", "id", "query", "baseline", "now", "loss"])
