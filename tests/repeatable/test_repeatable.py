"""What memlab works out is the same in every process, to the last digit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# With seed 7 the order of words in a set once moved the last digit of an overlap.
PLACES = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "7", "TZ": "Asia/Kathmandu", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "12", "TZ": "America/St_Johns", "LC_ALL": "C.UTF-8"},
)


def digests(place: dict[str, str]) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.repeatable.views"],
        cwd=ROOT, env=os.environ | place, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_neither_hash_seed_nor_time_zone_nor_locale_moves_a_digit() -> None:
    first, *others = [digests(place) for place in PLACES]
    assert len(first) > 60
    for place, other in zip(PLACES[1:], others, strict=True):
        assert other.keys() == first.keys()
        moved = [name for name, digest in first.items() if other[name] != digest]
        assert moved == [], f"differs under {place}"
