"""The recording of the sample world: what the lessons and the labelled questions stand on."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

import memlab as ml
from memlab.hindsight import Hindsight
from memlab.hindsight.budget import fitting

NOW = "2026-11-02T09:00:00.000Z"
QUESTION = "which database holds the orders?"
ALL = {"types": (), "query_timestamp": NOW}
CAPS = (64, 128, 256, 512, 1024, 2048)


@pytest.fixture
def world(recordings: Path) -> Hindsight:
    return Hindsight("team", replay=recordings / "world.jsonl")


def test_it_holds_the_whole_world(world: Hindsight) -> None:
    memories = world.memories(progress=False).frame()
    assert len(memories) == world.stats().total_nodes == 100
    assert memories["tier"].value_counts().to_dict() == {
        "world": 60, "observation": 31, "experience": 9,
    }  # fmt: skip
    assert len(world.documents(progress=False)) == 69


def test_it_is_in_order_and_says_nothing_of_a_token(recordings: Path) -> None:
    lines = (recordings / "world.jsonl").read_text("utf-8").splitlines()
    keys = [json.dumps(json.loads(line)["request"], sort_keys=True) for line in lines]
    assert keys == sorted(keys)
    assert not any("authorization" in line.lower() or "bearer" in line.lower() for line in lines)


@pytest.mark.parametrize("cap", [200, 400, 1024])
def test_every_cap_follows_from_the_answer_without_one(world: Hindsight, cap: int) -> None:
    """Field report 32: what a cap drops is known beforehand, and named."""
    whole = world.recall(QUESTION, budget="mid", max_tokens=100_000, **ALL)
    capped = world.recall(QUESTION, max_tokens=cap, trace=True, **ALL)
    sizes = whole.frame()["tokens"].tolist()
    assert capped.ids == tuple(whole.ids[place] for place in fitting(sizes, cap))
    lost = [key for key in whole.ids if key not in capped.ids]
    assert {capped.explain(key).lost for key in lost} == {"max_tokens"}


def test_a_sweep_over_caps_on_the_labelled_questions(world: Hindsight) -> None:
    """Field report 18: one labelled set, several settings, and no failure among them."""
    asked = {json.dumps(q) for q in _queries(world)}
    cases = [
        dataclasses.replace(case, keys="document", bank="")
        for case in ml.Cases.load(Path(__file__).parents[2] / "data/cases/world.jsonl")
        if json.dumps(case.query) in asked
    ]
    assert len(cases) >= 16
    recall = {}
    for cap in CAPS:
        run = ml.evaluate(world, cases, ["R@8"], max_tokens=cap, progress=False, **ALL)
        recall[cap] = float(run.means()["mean"].iloc[0])
    assert recall[64] < recall[512] == recall[2048]


def _queries(world: Hindsight) -> list[str]:
    tape = Path(__file__).parents[2] / "data/recordings/world.jsonl"
    requests = [json.loads(line)["request"] for line in tape.read_text("utf-8").splitlines()]
    return [r["body"]["query"] for r in requests if r.get("body", {}).get("max_tokens") == 64]


def test_the_hostile_memory_stays_text(world: Hindsight) -> None:
    found = next(one for one in world.memories(progress=False) if one.source == "dis-013")
    assert "<script>" in found.text
    for shown in (world.recall(QUESTION, budget="mid", max_tokens=100_000, **ALL),):
        assert "<script>" not in shown._repr_html_()
