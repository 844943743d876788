"""A sweep as lines over one option, or as points over a cost."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ..errors import InputError
from ..evaluation.own import OWN, less_is_better
from ..evaluation.sweeping import Sweep
from .canvas import COLOURS, axes, headline, tidy
from .door import plot

__all__ = ["plot_sweep"]


@plot.register
def plot_sweep(
    sweep: Sweep,
    measure: object = None,
    *,
    x: str | None = None,
    by: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean of one measure over an option, one line per value of another.

    ``x`` and ``by`` are varied options; by default the first and the second.
    Over further options the best setting counts. Where ``x`` is a cost, such as
    Tokens or Seconds, each setting is a point, and those nobody beats are joined.
    """
    name = sweep.measure_name(measure)  # type: ignore[arg-type]
    if x is not None and x.partition("@")[0] in OWN:
        return _points(sweep, name, x, ax)
    x, by = _options(sweep, x, by)
    table = sweep.frame()
    keys = [x] if by is None else [x, by]
    groups_of = table.groupby(keys, sort=False, dropna=False)[name]
    best = (groups_of.min() if less_is_better(name) else groups_of.max()).reset_index()
    ax = axes(ax)
    groups = [("", best)] if by is None else list(best.groupby(by, sort=True, dropna=False))
    places = _places(best[x])
    for number, (value, part) in enumerate(groups):
        where = sorted((places[str(v)], y) for v, y in zip(part[x], part[name], strict=True))
        label = None if by is None else f"{by}={value!s}"
        # Thinner one by one, so that lines which lie on each other are all seen.
        (line,) = ax.plot(*zip(*where, strict=True), "o-", label=label)
        line.set_color(COLOURS[number % len(COLOURS)])
        line.set_linewidth(max(1.2, 5 - 1.3 * number))
    ax.set_xticks(sorted(places.values()), sorted(places, key=lambda text: places[text]))
    ax.set_xlabel(x)
    ax.set_ylabel(f"mean {name}")
    others = [option for option in sweep.varied if option not in keys]
    if others:
        headline(ax, f"best over {', '.join(others)}")
    if by is not None:
        ax.legend(frameon=False)
    return tidy(ax, "y")


def _options(sweep: Sweep, x: str | None, by: str | None) -> tuple[str, str | None]:
    varied = sweep.varied
    if not varied:
        raise InputError("Nothing was varied in this sweep, so there is nothing to draw.")
    for option in (x, by):
        if option is not None and option not in varied:
            raise InputError(f"{option!r} was not varied. Varied: {', '.join(varied)}.")
    if x is not None and x == by:
        raise InputError(f"x and by are both {x!r}. Give two options.")
    chosen = x or next(option for option in varied if option != by)
    if by is None:
        by = next((option for option in varied if option != chosen), None)
    return chosen, by


def _places(values: pd.Series[str]) -> dict[str, int]:
    """Return a place for each value: numbers by size, others as they come; all equally far."""
    found = list(dict.fromkeys(values.tolist()))
    if all(isinstance(value, int | float | np.number) for value in found):
        found = sorted(found)
    return {str(value): place for place, value in enumerate(found)}


def _points(sweep: Sweep, measure: str, cost: str, ax: Axes | None) -> Axes:
    table = sweep.pareto(measure, [cost])
    ax = axes(ax)
    best = table[table["best"]]
    ax.plot(table[cost], table[measure], "o", color=COLOURS[6], label="beaten by another")
    ax.plot(best[cost], best[measure], "o-", color=COLOURS[0], label="not beaten")
    ax.set_xlabel(f"mean {cost}")
    ax.set_ylabel(f"mean {measure}")
    ax.legend(frameon=False, loc="lower right")
    return tidy(ax, "both")
