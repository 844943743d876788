"""What chance alone would do: intervals by the bootstrap, p values by permutation, Holm's step.

Differences are paired: each case was answered by both. Intervals are
percentiles of the means of resampled differences (Efron); p values are the
share of sign changes that give a mean at least as far from 0 (Fisher's
randomisation test, exact where there are few cases); both by scipy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Estimate", "holm", "paired", "spread"]

Values = NDArray[np.float64]
ROOM = 4_000_000
"""How many numbers are held at once while resampling."""


class Estimate(NamedTuple):
    """A mean difference, its interval, and how likely chance alone gives as much."""

    difference: float
    low: float
    high: float
    p: float


def paired(differences: Values, *, level: float, resamples: int, seed: int) -> Estimate:
    """Estimate the mean of paired differences; nothing differs where all are 0."""
    mean = float(differences.mean())
    low, high = spread(differences, level=level, resamples=resamples, seed=seed)
    if len(differences) < 2 or not differences.any():
        return Estimate(mean, low, high, 1.0)
    from scipy import stats

    test = stats.permutation_test(
        (differences,),
        _mean,
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=True,
        batch=max(1, ROOM // len(differences)),
        rng=np.random.default_rng(seed),
    )
    return Estimate(mean, low, high, float(test.pvalue))


def spread(values: Values, *, level: float, resamples: int, seed: int) -> tuple[float, float]:
    """Return the interval of a mean; without spread it is the mean itself."""
    mean = float(values.mean())
    if len(values) < 2 or np.ptp(values) == 0:
        return mean, mean
    from scipy import stats

    found = stats.bootstrap(
        (values,),
        _mean,
        n_resamples=resamples,
        confidence_level=level,
        method="percentile",  # BCa gives nan where most values are the same
        vectorized=True,
        batch=max(1, ROOM // len(values)),
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return float(found.low), float(found.high)


def _mean(values: Values, axis: int = -1) -> Values:
    mean: Values = np.mean(values, axis=axis)
    return mean


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values adjusted for being many: Holm's step-down procedure."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted
