"""Which settings nobody beats: none is at least as good for less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ...errors import InputError
from ..measures import parse_measures
from ..own import less_is_better

if TYPE_CHECKING:
    from .result import Sweep

__all__ = ["DIGITS", "pareto_frame", "worth"]

DIGITS = 12
"""To so many digits means are told apart: the last ones are noise of adding up."""


def worth(measure: str) -> float:
    """Return 1 for a measure of which more is better, and -1 for one of which less is."""
    return -1.0 if less_is_better(measure) else 1.0


def pareto_frame(sweep: Sweep, measure: str, costs: Sequence[str]) -> pd.DataFrame:
    """Return the frame of a sweep with costs and the column ``best``, cheapest first."""
    if not costs:
        raise InputError("No cost is given. Give measures of which less is better: ['Tokens'].")
    wanted = list(dict.fromkeys([measure, *map(str, parse_measures(list(costs)))]))
    table = sweep.rescore(wanted).frame()
    signs = dict.fromkeys(wanted[1:], -1.0) | {measure: worth(measure)}
    points = np.column_stack([table[name] * signs[name] for name in wanted]).round(DIGITS)
    table["best"] = [not _is_beaten(points, place) for place in range(len(points))]
    return table.sort_values([*wanted[1:], measure], kind="stable").reset_index(drop=True)


def _is_beaten(points: np.ndarray, place: int) -> bool:
    """Tell whether another point is nowhere worse and somewhere better."""
    mine = points[place]
    if np.isnan(mine).any():
        return True
    no_worse = (points >= mine).all(axis=1)
    better = (points > mine).any(axis=1)
    return bool((no_worse & better).any())
