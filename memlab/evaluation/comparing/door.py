"""compare(): one run against others."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...errors import InputError
from ..evaluation import Evaluation
from ..statistics import holm, paired
from ..summary import CASE_FIELDS, FailedRule
from .comparison import Comparison
from .pairs import check_pair, paired_values

__all__ = ["compare"]

ALL = "all"


def compare(
    before: Evaluation,
    *after: Evaluation,
    by: str | None = "category",
    failed: FailedRule | None = None,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare runs over the same cases with the first, measure by measure, group by group.

    Each row of ``.frame()`` has the mean difference with a bootstrap interval,
    and the p value of a paired permutation test, also adjusted by Holm's step:
    over the measures for all cases, and over measures and groups for the
    groups. ``by`` is the field of the cases that makes the groups (None:
    all cases only). Where cases failed, ``failed`` says what becomes of them:
    "skip" or "zero". The same seed gives the same figures.

    Raises InputError for runs that cannot be compared.
    """
    if not after:
        raise InputError("Give two runs or more: compare(before, after).")
    if not 0.5 < level < 1 or resamples < 100:
        raise InputError(
            f"level={level} must lie between 0.5 and 1, and resamples={resamples} be 100 or more."
        )
    if by is not None and by not in CASE_FIELDS:
        raise InputError(f"by={by!r} is no field of the cases: {', '.join(CASE_FIELDS)}.")
    names = [str(measure) for measure in before.measures]
    rows: list[dict[str, Any]] = []
    pairs = []
    for run in after:
        bad = check_pair(before, run, failed)
        values = paired_values(before, run, failed)
        pairs.append(values)
        for measure, group, part in _groups(before, values, by):
            estimate = paired(
                part["difference"].to_numpy(float), level=level, resamples=resamples, seed=seed
            )
            row = {"run": run.name, "measure": measure, "group": group, "cases": len(part)}
            row |= {"before": part["before"].mean(), "after": part["after"].mean()}
            row |= estimate._asdict() | {"failed": bad}
            row |= {"up": int((part["difference"] > 0).sum())}
            rows.append(row | {"down": int((part["difference"] < 0).sum())})
    if not rows:
        raise InputError(
            f"There is nothing to compare: no case has a value of {', '.join(names)} in both runs."
        )
    for family in (
        [row for row in rows if row["group"] == ALL],
        [row for row in rows if row["group"] != ALL],
    ):
        for row, p in zip(family, holm([row["p"] for row in family]), strict=True):
            row["p_holm"] = p
    return Comparison(before, after, rows, tuple(pairs), level)


def _groups(
    run: Evaluation, values: pd.DataFrame, by: str | None
) -> list[tuple[str, str, pd.DataFrame]]:
    """Return measure, name and rows of each group; all cases first."""
    found = []
    names = {case.id: str(getattr(case, by)) for case in run.cases} if by else {}
    for measure, part in values.groupby("measure", sort=False):
        found.append((str(measure), ALL, part))
        if by is None:
            continue
        groups = part.groupby(part["id"].map(names))
        if len(groups) > 1:
            found += [(str(measure), str(name) or "-", some) for name, some in groups]
    return found
