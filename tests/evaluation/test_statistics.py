"""Intervals and p values: by hand, beside scipy, and in the long run."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from memlab.evaluation.statistics import holm, paired, spread


def by_hand(differences: list[float]) -> float:
    """Every pattern of signs, counted: the share whose mean is at least as far from 0."""
    mean = abs(sum(differences))
    signs = list(product((1, -1), repeat=len(differences)))
    far = sum(
        abs(sum(s * d for s, d in zip(sign, differences, strict=True))) >= mean - 1e-12
        for sign in signs
    )
    return far / len(signs)


@pytest.mark.parametrize(
    "differences",
    [[1.0] * 5, [1, 1, 1, 1, -1], [0.5, 0.25, -0.1, 0, 0.3], [1, -1], [0.2], [0, 0, 0, 1, 1, 1, 1]],
)
def test_p_by_hand(differences: list[float]) -> None:
    found = paired(np.array(differences, float), level=0.95, resamples=10_000, seed=0)
    assert found.p == pytest.approx(by_hand(list(map(float, differences))))


def test_five_wins_of_five_are_not_enough() -> None:
    """With five cases no result can be significant at 5 %: 2 of 32 patterns are as far from 0."""
    assert paired(np.ones(5), level=0.95, resamples=10_000, seed=0).p == 2 / 32


def test_nothing_differs() -> None:
    assert paired(np.zeros(40), level=0.95, resamples=1000, seed=0) == (0, 0, 0, 1)
    assert paired(np.ones(20), level=0.95, resamples=1000, seed=0)[:3] == (1, 1, 1)


def test_beside_scipy() -> None:
    values = np.random.default_rng(3).normal(0.3, 1, 60)
    found = paired(values, level=0.9, resamples=9_999, seed=7)
    test = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=9_999, rng=7
    )
    assert found.p == pytest.approx(test.pvalue, abs=0.01)
    assert found.p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, abs=0.01)
    low, high = spread(values, level=0.9, resamples=9_999, seed=7)
    half = stats.t.ppf(0.95, 59) * values.std(ddof=1) / np.sqrt(60)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.02)


def test_the_same_seed_gives_the_same_figures() -> None:
    values = np.random.default_rng(3).normal(0.3, 1, 60)
    one = paired(values, level=0.95, resamples=2000, seed=1)
    assert paired(values, level=0.95, resamples=2000, seed=1) == one
    assert paired(values, level=0.95, resamples=2000, seed=2) != one


def test_large_sets_fit_into_memory() -> None:
    """A million numbers at most are held at once, so 10,000 cases are no trouble."""
    values = np.random.default_rng(5).choice([0.0, 1.0, -1.0], 10_000, p=[0.9, 0.06, 0.04])
    found = paired(values, level=0.95, resamples=2000, seed=0)
    assert found.p < 0.01
    assert found.low < values.mean() < found.high


def test_chance_alone_is_rarely_significant() -> None:
    """Two systems that differ by chance: about 5 % of tests at 5 %, and intervals that hold 0."""
    chance = np.random.default_rng(8)
    rejected = held = 0
    for _ in range(200):
        differences = chance.integers(0, 2, 40) - chance.integers(0, 2, 40).astype(float)
        found = paired(differences, level=0.95, resamples=400, seed=0)
        rejected += found.p <= 0.05
        held += found.low <= 0 <= found.high
    assert rejected <= 20  # 10 are expected; more than 20 happen once in a thousand times
    assert held >= 180


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []
    assert holm([0.2]) == [0.2]
