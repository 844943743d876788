"""Comparing runs: the same is the same, a planted change is found, and who flipped is named."""

from __future__ import annotations

import random
from typing import Any

import pytest

from memlab import RR, Case, Cases, Hit, Mnemopi, Outcome, R, Recall, compare, evaluate, nDCG
from memlab.errors import InputError, RecallTimeout
from memlab.evaluation import Evaluation
from tests.evaluation.fakes import Fixed, Told, memory

STORED = [memory("m1"), memory("m2")]


def cases(n: int, **fields: Any) -> Cases:
    return Cases(Case(str(k), str(k), {"m1": 1}, f"group {k % 3}", **fields) for k in range(n))


def run(found: dict[int, Told], n: int, label: str, *measures: object) -> Evaluation:
    backend = Fixed({str(k): told for k, told in found.items()}, STORED)
    return evaluate(backend, cases(n), list(measures) or [R @ 8], label=label)  # type: ignore[arg-type]


def test_the_same_system_twice_never_differs(
    world_banks: dict[str, Mnemopi], world_cases: Cases, now: str
) -> None:
    one = evaluate(world_banks, world_cases, now=now, label="one")
    other = evaluate(world_banks, world_cases, now=now, label="other")
    found = compare(one, other)
    assert found.significant.empty
    assert found.frame()["p"].eq(1).all()
    assert found.frame()[["difference", "low", "high"]].eq(0).all(axis=None)
    assert found.cases().empty
    assert found.hits().empty
    assert found.flips().empty
    assert repr(found).count("the same") == 5


def test_a_planted_change_is_found() -> None:
    """One category gets better, and only that one: chance explains the rest."""
    chance = random.Random(4)
    before = {k: ["m1"] if chance.random() < 0.4 else ["x"] for k in range(90)}
    after = {k: ["m1"] if k % 3 == 1 else told for k, told in before.items()}
    found = compare(run(before, 90, "old"), run(after, 90, "new"))  # type: ignore[arg-type]
    table = found.frame().set_index("group")
    assert set(found.significant["group"]) == {"all", "group 1"}
    assert table.loc["group 1", "after"] == 1
    assert table.loc[["group 0", "group 2"], "p"].eq(1).all()
    row = table.loc["all"]
    assert row["difference"] == pytest.approx(row["after"] - row["before"])
    assert row["low"] < row["difference"] < row["high"]
    assert (row["up"], row["down"]) == (row["difference"] * 90, 0)
    assert "R@8 / group 1" in repr(found)
    assert "better" in repr(found)


def test_adjusted_for_being_many() -> None:
    """A difference that one test would call significant does not survive among many."""
    before = {k: ["x"] for k in range(60)}
    after = before | {k: ["m1"] for k in (0, 3, 6, 9, 12, 15)}
    found = compare(run(before, 60, "a", R @ 8, RR), run(after, 60, "b", R @ 8, RR))  # type: ignore[arg-type]
    table = found.frame().set_index(["measure", "group"])
    assert table.loc[("R@8", "all"), "p"] == pytest.approx(2 / 64, abs=0.01)
    assert table.loc[("R@8", "all"), "p_holm"] > 0.05
    assert found.significant.empty
    assert "no difference shown" in repr(found)


def test_wins_and_losses_by_case() -> None:
    found = compare(run({0: ["m1"], 1: ["x"]}, 3, "a"), run({1: ["m1"], 2: []}, 3, "b"))
    table = found.cases(R @ 8)
    assert table[["run", "id", "before", "after", "difference"]].values.tolist() == [
        ["b", "0", 1, 0, -1], ["b", "1", 0, 1, 1],
    ]  # fmt: skip
    assert len(found.cases(changed=False)) == 3
    with pytest.raises(InputError, match="The comparison has no RR. It has: R@8"):
        found.cases("RR")


def test_hits_that_came_went_and_moved() -> None:
    found = compare(run({0: ["a", "m1", "b"]}, 1, "a"), run({0: ["m1", "a", "c"]}, 1, "b"))
    rows = found.hits().set_index("key")[["before", "after"]].astype("float").T.to_dict("list")
    assert rows == {
        "a": [1, 2], "m1": [2, 1], "b": [3, pytest.approx(float("nan"), nan_ok=True)],
        "c": [pytest.approx(float("nan"), nan_ok=True), 3],
    }  # fmt: skip
    assert found.hits(relevant=True)["key"].tolist() == ["m1"]


def test_runs_that_cannot_be_compared() -> None:
    first = run({}, 3, "a")
    with pytest.raises(InputError, match="a has 1 cases that b has not, .* such as '2'"):
        compare(first, run({}, 2, "b"))
    relabelled = first.rescore(cases=Cases(Case(c.id, c.query, {"m2": 1}) for c in first.cases))
    with pytest.raises(InputError, match="3 cases, such as '0', are asked or labelled otherwise"):
        compare(first, relabelled)
    with pytest.raises(InputError, match="no measure in common"):
        compare(first, first.rescore(RR))
    with pytest.raises(InputError, match="Give two runs or more"):
        compare(first)
    for wrong in ({"level": 5}, {"resamples": 3}, {"by": "colour"}, {"failed": "half"}):
        with pytest.raises(InputError):
            compare(first, first, **wrong)  # type: ignore[arg-type]


def test_nothing_to_compare() -> None:
    """Two runs without a value in common end in a sentence, not in an empty table."""
    null = [Case("1", "q", {})]
    runs = [evaluate(Fixed({}, STORED), null, [RR]) for _ in range(2)]
    with pytest.raises(InputError, match="nothing to compare: no case has a value of RR in both"):
        compare(*runs)


def test_failures_are_not_compared_in_silence() -> None:
    good = run({k: ["m1"] for k in range(4)}, 4, "good")
    bad = run({0: ["m1"], 1: ["m1"], 2: RecallTimeout("t"), 3: RecallTimeout("t")}, 4, "bad")
    with pytest.raises(InputError, match="2 cases failed in good or bad"):
        compare(good, bad)
    skipped = compare(good, bad, failed="skip", by=None).frame().iloc[0]
    assert (skipped["cases"], skipped["difference"], skipped["failed"]) == (2, 0, 2)
    zero = compare(good, bad, failed="zero", by=None).frame().iloc[0]
    assert (zero["cases"], zero["difference"]) == (4, -0.5)


def test_less_can_be_better(world_banks: dict[str, Mnemopi], world_cases: Cases, now: str) -> None:
    usual = evaluate(world_banks, world_cases, ["Tokens"], now=now)
    two = evaluate(world_banks, world_cases, ["Tokens"], now=now, limit=2)
    found = compare(usual, two, by=None)
    assert found.verdict(found.rows[0]) == "better"
    assert found.rows[0]["difference"] < 0


def test_several_at_once(world_banks: dict[str, Mnemopi], world_cases: Cases, now: str) -> None:
    runs = [evaluate(world_banks, world_cases, [nDCG @ 8], now=now, limit=k) for k in (8, 4, 2)]
    found = compare(*runs, by=None)
    assert found.frame()["run"].tolist() == [
        "mnemopi (6 banks) (limit=4)",
        "mnemopi (6 banks) (limit=2)",
    ]
    assert "[mnemopi (6 banks) (limit=2)]" in repr(found)
    assert found._repr_html_().count("<td>mnemopi (6 banks) (limit=2)</td>") == 1


class Scored(Fixed):
    """Ranks two memories by parts of a score that can be worked out by hand."""

    def __init__(self, parts: dict[str, dict[str, float]], weights: dict[str, float]) -> None:
        super().__init__({}, STORED)
        self.parts, self.weights = parts, weights

    def recall(self, query: str, *, limit: int = 8, **options: Any) -> Recall:
        made = {
            key: sum(self.weights.get(name, 1) * value for name, value in parts.items())
            for key, parts in self.parts.items()
        }
        order = sorted(made, key=lambda key: -made[key])
        hits = tuple(
            Hit(n, key, key, made[key], "working", scores=self.parts[key])
            for n, key in enumerate(order, start=1)
        )
        return Recall(query, hits, Outcome.OK, self.name)


ONE = {"m1": {"words": 0.9, "recency": 0.1}, "x": {"words": 0.5, "recency": 0.3}}


def flips(after: Scored) -> dict[str, Any]:
    runs = [evaluate(backend, cases(1), [RR]) for backend in (Scored(ONE, {}), after)]
    table = compare(*runs).flips()
    assert len(table) == 1
    return dict(table.iloc[0])


def test_the_part_that_changed_did_it() -> None:
    """An old answer is passed by a newer text, since recency counts (as a server once did)."""
    fresh = {"m1": {"words": 0.9, "recency": 0.1}, "x": {"words": 0.5, "recency": 0.9}}
    row = flips(Scored(fresh, {}))
    assert (row["up"], row["down"], row["grade_down"]) == ("x", "m1", 1)
    assert (row["part"], row["how"], row["change"]) == ("recency", "value", pytest.approx(0.6))


def test_a_part_that_counts_more_did_it() -> None:
    row = flips(Scored(ONE, {"words": 0.2}))
    assert (row["part"], row["how"]) == ("recency", "weight")


def test_a_changed_weight_is_named(
    world_banks: dict[str, Mnemopi], world_cases: Cases, now: str
) -> None:
    usual = evaluate(world_banks, world_cases, now=now)
    heavy = evaluate(world_banks, world_cases, now=now, importance_weight=2.0)
    table = compare(usual, heavy).flips()
    # What importance gains, the words lose; nothing else could have done it.
    assert {"importance", "keyword"} <= set(table["part"])
    assert set(table["how"]) <= {"weight", "factor", "reranking"}


def test_an_order_made_after_scoring(
    world_banks: dict[str, Mnemopi], world_cases: Cases, now: str
) -> None:
    usual = evaluate(world_banks, world_cases, now=now)
    without = evaluate(world_banks, world_cases, now=now, mmr_lambda=1.0)
    table = compare(usual, without).flips()
    assert len(table) > 3
    assert set(table["how"]) == {"reranking"}


def test_hostile_text_is_escaped() -> None:
    found = compare(run({}, 2, "<b>a</b>"), run({0: ["m1"]}, 2, "<script>"))
    assert "<script>" not in found._repr_html_()
    assert "<b>" not in found._repr_html_()
