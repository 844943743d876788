"""A bank in the life of the real engine, turned back: it recalls what it recalled then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memlab import Mnemopi
from memlab.mnemopi.engine.copies import copy_bank
from memlab.text.dates import iso_millis
from tests.parity.engine import engine
from tests.parity.words import MANY, text

pytestmark = pytest.mark.engine
WORDS = tuple(MANY[:60])
START = datetime(2026, 1, 1, tzinfo=UTC)
STEPS = 10


def _live(path: Path, rng: Random, folder: Path) -> list[tuple[str, Path]]:
    """Ten weeks of writing and invalidating; a copy of the bank after each."""
    states: list[tuple[str, Path]] = []
    ids: list[str] = []
    live = list[str]()
    for step in range(STEPS):
        now = iso_millis(START + timedelta(days=7 * step))

        def call(op: str, moment: str = now, **args: Any) -> Any:
            return engine().call(op, db=path, bank="b", now=moment, **args)

        for number in range(6):
            options = {"memoryId": f"m{step}{number}", "scope": "bank", "trustTier": "IMPORTED",
                       "importance": round(rng.random(), 2), "source": "user"}  # fmt: skip
            content = f"{text(rng, WORDS, 3, 12)} {step}{number}"
            ids.append(call("beamRemember", content=content, options=options))
            live.append(ids[-1])
        call(
            "extractAndStoreFacts",
            content=f"I prefer {text(rng, WORDS, 1, 2)}.",
            sourceMemoryId=ids[-1],
        )
        if step % 3 == 2:
            old = live.pop(rng.randrange(len(live)))
            call("invalidate", memoryId=old, replacementId=ids[-1])
            call(
                "consolidateToEpisodic",
                summary=f"summary of {text(rng, WORDS, 4, 9)}",
                sourceIds=ids[:2],
            )
        engine().call("close", prefix=str(path))
        states.append((now, copy_bank(path, folder / f"state{step}.db")))
    return states


def test_it_recalls_what_it_recalled_then(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    path = tmp_path / "bank.db"
    states = _live(path, rng, tmp_path)
    bank = Mnemopi(path, bank="b")
    hits = 0
    for now, state in states:
        past, then = bank.as_of(now), Mnemopi(state, bank="b")
        assert past.written_by == "timestamp"
        assert len(past.memories()) == len(then.memories())
        for _ in range(25):
            query = " ".join(rng.choices(WORDS, k=rng.choice([1, 2, 3, 5])))
            wanted = then.recall(query, now=now)
            assert past.recall(query).records == wanted.records, (query, now, past)
            hits += len(wanted)
    assert hits > 100
