"""What is read off a sweep: losses of a larger cap, the front that nobody beats, a fair choice."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from memlab import Case, Cases, Hit, Mnemopi, Outcome, R, Recall, build_bank, sweep
from memlab.errors import InputError
from tests.evaluation.fakes import Fixed, memory


class Capped(Fixed):
    """Takes whole memories while they fit, and gives up at the first that does not.

    So a larger cap can lose what a smaller one found, as a server once did.
    """

    def recall(self, query: str, *, limit: int = 8, **options: Any) -> Recall:
        order = {3: ["m1"], 5: ["m1", "m2"], 9: ["m2", "m3"]}[limit]
        hits = tuple(Hit(n, key, key, 1.0, "working") for n, key in enumerate(order, start=1))
        return Recall(query, hits, Outcome.OK, self.name)


CASES = Cases([Case("a", "q", {"m1": 1, "m2": 1})])


def test_a_larger_cap_that_loses_a_memory_is_found() -> None:
    grid = sweep(Capped({}, [memory("m1"), memory("m2")]), CASES, cache=None, limit=[9, 3, 5])
    table = grid.losses("limit")
    assert table[["case", "key", "smaller", "rank", "larger", "outcome"]].values.tolist() == [
        ["a", "m1", 5, 1, 9, "ok"]
    ]
    with pytest.raises(InputError, match="'mode' was not varied. Varied: limit"):
        grid.losses("mode")


def test_the_engine_itself_loses_memories_to_a_larger_limit(tmp_path: Path) -> None:
    """With four words and more it weighs coverage and likeness anew for every limit."""
    now = "2026-01-02T00:00:00.000Z"
    chance = random.Random(3)
    words = [f"word{n}" for n in range(14)]
    items = [
        {
            "text": " ".join(chance.choices(words, k=chance.randint(3, 9))),
            "id": f"i{n}",
            "time": now,
        }
        for n in range(60)
    ]
    all_of_them = {f"i{n}": 1 for n in range(60)}
    cases = [Case(f"q{n}", " ".join(chance.sample(words, 6)), all_of_them) for n in range(12)]
    with build_bank(items, tmp_path / "b.db", now=now) as bank:
        grid = sweep(bank, cases, [R @ 99], cache=None, now=now, limit=[2, 3, 4, 6])
        table = grid.losses("limit")
    assert len(table) > 2
    assert set(table["why"].str.partition(":")[0]) <= {"Outranked", "Replaced by MMR"}
    for row in table.to_dict("records"):
        smaller, larger = (
            next(run for run in grid.runs if run.options["limit"] == row[name])
            for name in ("smaller", "larger")
        )
        assert row["key"] in smaller.answers[row["case"]].keys
        assert row["key"] not in larger.answers[row["case"]].keys
    assert grid.losses("limit", why=False)["why"].eq("").all()


def test_no_limit_is_the_largest(world_banks: dict[str, Mnemopi], now: str) -> None:
    cases = [Case("a", "backups", {"team-009": 1})]
    grid = sweep(world_banks["team"], cases, cache=None, now=now, token_limit=[0, 10, 2000])
    assert grid.losses("token_limit").empty
    assert grid.frame()["Success@8"].tolist() == [1.0, 0.0, 1.0]
    sizes = sweep(world_banks["team"], cases, cache=None, now=now, mode=["plain", "enhanced"])
    with pytest.raises(InputError, match="mode='plain' has no size"):
        sizes.losses("mode")


def noise(settings: int, cases: int, seed: int) -> Any:
    """A sweep whose settings make no difference: each finds each memory by chance."""
    chance = random.Random(seed)
    found = {(n, q): chance.random() < 0.5 for n in range(settings) for q in range(cases)}

    class Lucky(Fixed):
        def recall(self, query: str, *, limit: int = 8, **options: Any) -> Recall:
            keys = ["m1"] if found[limit, int(query)] else ["x"]
            hits = tuple(Hit(1, key, key, 1.0, "working") for key in keys)
            return Recall(query, hits, Outcome.OK, self.name)

    labelled = Cases(Case(str(q), str(q), {"m1": 1}) for q in range(cases))
    return sweep(
        Lucky({}, [memory("m1")]), labelled, [R @ 8], cache=None, limit=list(range(settings))
    )


def test_the_luck_of_a_grid_is_told_from_a_gain() -> None:
    """The best of many equal settings looks good on the cases that chose it, and only there."""
    luck, gain, best = [], [], []
    for seed in range(6):
        choice = noise(20, 40, seed).choose(R @ 8)
        luck.append(choice.luck)
        gain.append(choice.held_out - 0.5)
        best.append(choice.mean - 0.5)
    mean = lambda values: sum(values) / len(values)  # noqa: E731
    assert mean(best) > 0.09
    assert abs(mean(gain)) < 0.06
    assert mean(luck) > 0.07


def test_a_real_gain_is_held_out_too() -> None:
    answers = {str(n): ["x", "x2", "m1"] if n % 4 else ["x", "x2", "x3", "m1"] for n in range(20)}
    cases = Cases(Case(str(n), str(n), {"m1": 1}) for n in range(20))
    grid = sweep(Fixed(answers, [memory("m1")]), cases, [R @ 8], cache=None, limit=[1, 3, 4])
    choice = grid.choose(R @ 8, folds=4)
    assert (choice.setting, choice.number, choice.first) == ({"limit": 4}, 2, 0.0)
    assert (choice.mean, choice.held_out, choice.gain, choice.luck) == (1.0, 1.0, 1.0, 0.0)
    assert choice.folds["limit"].tolist() == [4] * 4
    assert choice.folds["cases"].tolist() == [5] * 4
    assert grid.best().options["limit"] == 4
    assert repr(choice).startswith("limit=4\n  R@8 on held-out cases 1.000, first setting 0.000")
    assert grid.choose(R @ 8, seed=1).held_out == choice.held_out
    for folds in (2, 20):
        assert grid.choose(folds=folds).folds["cases"].tolist() == [20 // folds] * folds
    for folds in (1, 21):
        with pytest.raises(InputError, match=f"folds={folds} is not possible with 20 cases"):
            grid.choose(folds=folds)
    with pytest.raises(InputError, match="The sweep has no RR. It has R@8"):
        grid.choose("RR")


class Limited(Fixed):
    """The larger the limit, the more is found and shown."""

    def recall(self, query: str, *, limit: int = 8, **options: Any) -> Recall:
        hits = tuple(Hit(n, f"m{n}", "word " * n, 1.0, "working") for n in range(1, limit + 1))
        return Recall(query, hits, Outcome.OK if hits else Outcome.EMPTY, self.name)


def test_less_can_be_the_best() -> None:
    """The best setting by a cost is the cheapest one, not the dearest."""
    cases = [Case(f"{n}", f"q{n}", {"m3": 1}) for n in range(6)]
    cases += [Case(f"n{n}", f"null {n}", {}) for n in range(6)]
    grid = sweep(Limited({}), cases, ["Tokens", "Injected", R @ 8], cache=None, limit=[4, 0, 2])
    assert grid.best("Injected").options["limit"] == 0
    assert grid.best("Tokens").options["limit"] == 0
    choice = grid.choose("Injected", folds=3)
    assert (choice.setting, choice.held_out, choice.first) == ({"limit": 0}, 0, 1)
    assert (choice.gain, choice.luck) == (1, 0)
    front = grid.pareto("Injected", ["Tokens"])
    assert front.loc[front["best"], "limit"].tolist() == [0]
    assert grid.best("R@8").options["limit"] == 4
    with pytest.raises(InputError, match="No case has a value of Leaked"):
        grid.rescore("Leaked").best()


def test_the_front() -> None:
    texts = {"m1": "short", "x": "a much longer text that costs more tokens than the others do"}
    answers = {"q": ["x", "m1", "x2"]}
    backend = Fixed(answers, [memory("m1")], texts=texts)
    grid = sweep(backend, [Case("a", "q", {"m1": 1})], [R @ 8], cache=None, limit=[0, 1, 2, 3])
    table = grid.pareto(R @ 8, ["Tokens"])
    assert table["limit"].tolist() == [0, 1, 2, 3]
    assert table["best"].tolist() == [True, False, True, False]
    with pytest.raises(InputError, match="No cost is given"):
        grid.pareto(R @ 8, [])
