"""Pairing two runs case by case; refusing what cannot be compared."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...errors import InputError
from ..context import question
from ..evaluation import Evaluation
from ..summary import FailedRule, can_be_zero, failed_cases

__all__ = ["check_pair", "paired_values", "shared_measures"]


def check_pair(before: Evaluation, after: Evaluation, failed: FailedRule | None) -> int:
    """Return how many cases failed in either run; refuse runs over other cases or labels."""
    mine, theirs = before.cases, after.cases
    only = [sorted(set(mine.ids) - set(theirs.ids)), sorted(set(theirs.ids) - set(mine.ids))]
    if any(only):
        raise InputError(
            f"{before.name} has {len(only[0])} cases that {after.name} has not, and the other way "
            f"round {len(only[1])}, such as {(only[0] + only[1])[0]!r}. Compare the same cases: "
            "run.rescore(cases=...)."
        )
    other = [
        case.id
        for case in mine
        if question(case) != question(theirs[case.id])
        or dict(case.relevant or {}) != dict(theirs[case.id].relevant or {})
        or case.kind != theirs[case.id].kind
    ]
    if other:
        raise InputError(
            f"{len(other)} cases, such as {other[0]!r}, are asked or labelled otherwise in the two "
            "runs. Judge both by the same labels: before.rescore(cases=after.cases)."
        )
    bad = {case.id for run in (before, after) for case in failed_cases(run)}
    if failed not in (None, "skip", "zero"):
        raise InputError(f"failed={failed!r} is neither 'skip' nor 'zero'.")
    if bad and failed is None:
        raise InputError(
            f"{len(bad)} cases failed in {before.name} or {after.name}. Choose failed='skip' (leave "
            "them out of both) or failed='zero' (a failure finds nothing)."
        )
    return len(bad)


def shared_measures(before: Evaluation, after: Evaluation) -> list[str]:
    """Return the names of the measures that both runs have."""
    theirs = set(map(str, after.measures))
    found = [str(measure) for measure in before.measures if str(measure) in theirs]
    if not found:
        raise InputError(
            f"{before.name} and {after.name} have no measure in common. Use .rescore([...]) on both."
        )
    return found


def paired_values(before: Evaluation, after: Evaluation, failed: FailedRule | None) -> pd.DataFrame:
    """Return one row per case and measure that has a value in both: id, category, measure, values."""
    rows = []
    zero = {str(m) for m in before.measures if can_be_zero(m)} if failed == "zero" else set()
    bad = [{case.id for case in failed_cases(run)} for run in (before, after)]
    for measure in shared_measures(before, after):
        for case in before.cases:
            pair = [run.values[case.id].get(measure) for run in (before, after)]
            if measure in zero and case.kind == "labelled":
                pair = [0.0 if case.id in bad[n] else value for n, value in enumerate(pair)]
            if all(value is not None and not np.isnan(value) for value in pair):
                rows.append((case.id, case.category, case.query, measure, *pair))
    table = pd.DataFrame(rows, columns=["id", "category", "query", "measure", "before", "after"])
    table["difference"] = table["after"].astype(float) - table["before"].astype(float)
    return table
