"""A sweep of 64 settings over 40 cases: 2,560 answers, asked once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pandas as pd

from memlab import Cases, Mnemopi, R, nDCG, sweep
from memlab.evaluation import Sweep
from memlab.sample import sample_world

GRID: dict[str, Any] = {
    "limit": [4, 8, 16, 32],
    "mmr_lambda": [0.5, 0.7, 0.85, 1.0],
    "token_limit": [150, 500, 1500, 5000],
}


def timed(folder: Path) -> tuple[Sweep, float]:
    world = sample_world()
    banks = {name: Mnemopi(path) for name, path in world.banks().items()}
    cases = Cases.load(world.cases).filter(kind="labelled").sample(40)
    # The time this process worked: other people's work on the machine does not count.
    start = time.process_time()
    grid = sweep(banks, cases, [R @ 8, nDCG @ 8], cache=folder, now=world.now, **GRID)
    grid.frame()
    return grid, time.process_time() - start


def test_a_sweep_is_quick_and_quicker_the_second_time(tmp_path: Path) -> None:
    first, seconds = timed(tmp_path)
    again, fewer = timed(tmp_path)
    assert (len(first), first.asked, again.asked) == (64, 2560, 0)
    pd.testing.assert_frame_equal(first.frame(), again.frame())
    assert seconds < 20
    assert fewer < 2
    assert fewer * 3 < seconds
