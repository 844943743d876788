"""A comparison as intervals: does one of them leave 0 out?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes

from ..errors import InputError
from ..evaluation.comparing import Comparison
from ..evaluation.measures import parse_measures
from .canvas import COLOURS, axes, headline, tidy
from .door import plot

__all__ = ["plot_comparison"]


@plot.register
def plot_comparison(
    comparison: Comparison, measure: object = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the differences with their intervals, a row each.

    Without ``measure``, one row per measure over all cases, those counted in
    tokens or seconds left out; with it, one row per group of cases. What chance
    does not explain is dark.
    """
    rows = _rows(comparison, measure)
    ax = axes(ax, height=1.2 + 0.35 * len(rows))
    level = 1 - comparison.level
    for place, row in enumerate(reversed(rows)):
        colour = COLOURS[0] if row["p_holm"] <= level else COLOURS[6]
        ax.plot([row["low"], row["high"]], [place, place], color=colour, linewidth=2)
        ax.plot([row["difference"]], [place], "o", color=colour)
    several = len(comparison.after) > 1
    names = [
        f"{row['run']}: {_name(row, measure)}" if several else _name(row, measure) for row in rows
    ]
    ax.set_yticks(range(len(rows)), names[::-1])
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.axvline(0, color="#555555", linewidth=1)
    what = f" of {rows[0]['measure']}" if measure is not None else ""
    ax.set_xlabel(f"difference{what}, with its {comparison.level:.0%} interval")
    after = ", ".join(run.name for run in comparison.after)
    headline(ax, f"{comparison.before.name} → {after}")
    return tidy(ax)


def _rows(comparison: Comparison, measure: object) -> list[Mapping[str, Any]]:
    if measure is None:
        other = ("Tokens", "Seconds")
        return [
            row
            for row in comparison.rows
            if row["group"] == "all" and row["measure"].partition("@")[0] not in other
        ]
    name = str(parse_measures(measure)[0])  # type: ignore[arg-type]
    rows = [row for row in comparison.rows if row["measure"] == name]
    if not rows:
        names = ", ".join(dict.fromkeys(row["measure"] for row in comparison.rows))
        raise InputError(f"The comparison has no {name}. It has: {names}.")
    return rows


def _name(row: Mapping[str, Any], measure: object) -> str:
    return f"{row['measure'] if measure is None else row['group']}  (n={row['cases']})"
