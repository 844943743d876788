"""An evaluation as bars: one per group, with the number of its cases."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from ..errors import InputError
from ..evaluation.evaluation import Evaluation
from ..evaluation.summary import LABEL_FIELDS
from .canvas import COLOURS, axes, headline, tidy
from .door import plot

__all__ = ["plot_evaluation"]


@plot.register
def plot_evaluation(
    run: Evaluation,
    measure: str | object | None = None,
    *,
    by: str = "category",
    ax: Axes | None = None,
) -> Axes:
    """Draw one bar per group of cases, the mean of one measure, with the number of cases.

    ``measure`` is one of the run's; by default the first. Failed cases are left
    out and counted in the title.
    """
    name = str(measure if measure is not None else run.measures[0])
    groups = _groups(run, name, by)
    name = "share" if by in LABEL_FIELDS else name
    ax = axes(ax, height=1.2 + 0.35 * max(len(groups), 1))
    ax.barh([label for label, _, _ in groups], [x for _, x, _ in groups], color=COLOURS[0])
    for place, (_, value, count) in enumerate(groups):
        ax.annotate(
            f"{value:.2f}  (n={count})", (value, place), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize=9,
        )  # fmt: skip
    longest = max([1.0, *(value for _, value, _ in groups)])
    ax.set_xlim(0, longest * 1.18)
    ax.set_xlabel(
        f"share of relevant memories found, by {by}" if name == "share" else f"mean {name}"
    )
    bad = int(run.frame()["failed"].sum())
    headline(ax, run.name + (f": {bad} of {len(run)} cases failed" if bad else ""))
    return tidy(ax)


def _groups(run: Evaluation, name: str, by: str) -> list[tuple[str, float, int]]:
    """Return label, value and number of cases of each group that has a value, the last first."""
    table = run.by(by, failed="skip")
    column, counts = name, table.get("memories")
    if counts is not None:
        column = "share"
    elif name in table:
        # Of a group, not every case has a value of every measure.
        counts = run.frame().groupby(by, sort=True)[name].count()
    else:
        raise InputError(f"The run has no {name}. It has: {', '.join(map(str, run.measures))}.")
    rows = zip(table.index.tolist(), table[column].tolist(), counts.tolist(), strict=True)
    return [
        (str(group) or "-", float(value), int(count))
        for group, value, count in rows
        if not math.isnan(value)
    ][::-1]
