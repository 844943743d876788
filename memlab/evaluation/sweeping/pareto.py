"""Which settings nobody beats: none is at least as good for less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ...errors import InputError
from ..measures import parse_measures

if TYPE_CHECKING:
    from .result import Sweep

__all__ = ["pareto_frame"]


def pareto_frame(sweep: Sweep, measure: str, costs: Sequence[str]) -> pd.DataFrame:
    """Return the frame of a sweep with costs and the column ``best``, cheapest first."""
    if not costs:
        raise InputError("No cost is given. Give measures of which less is better: ['Tokens'].")
    wanted = list(dict.fromkeys([measure, *map(str, parse_measures(list(costs)))]))
    table = sweep.rescore(wanted).frame()
    points = np.column_stack([table[measure], *(-table[name] for name in wanted[1:])])
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
