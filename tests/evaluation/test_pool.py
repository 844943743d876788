"""The labelling queue: what is pooled, in which order, and what judgements make of the cases."""

from __future__ import annotations

import pytest

from memlab import Case, Cases, Judged, R, evaluate, label_queue
from memlab.errors import InputError
from tests.evaluation.fakes import Fixed, Told, memory

CASES = Cases([Case("a", "one", {"m1": 1}), Case("b", "two", None), Case("c", "three", {})])


def run(label: str, **answers: Told):  # type: ignore[no-untyped-def]
    return evaluate(Fixed(answers, [memory("m1")]), CASES, [R @ 8], label=label)


FIRST = run("first", one=["m1", "x", "y"], two=["p", "q"])
SECOND = run("second", one=["y", "z", "m1"], two=["q"], three=["n"])


def test_what_most_systems_found_first_comes_first() -> None:
    queue = label_queue([FIRST, SECOND], depth=3)
    rows = [(one.case, one.key, one.systems, one.best_rank) for one in queue.waiting]
    assert rows == [
        ("a", "y", 2, 1), ("a", "x", 1, 2), ("a", "z", 1, 2),
        ("b", "q", 2, 1), ("b", "p", 1, 1), ("c", "n", 1, 1),
    ]  # fmt: skip
    assert queue.frame()["text"].tolist()[0] == "text of y"
    assert [one.key for one in label_queue([FIRST, SECOND], depth=1).waiting] == [
        "y",
        "p",
        "q",
        "n",
    ]


def test_judgements() -> None:
    queue = label_queue([FIRST, SECOND], depth=3)
    done = queue.grade("a", "y", 2).grade("a", "x", 0).grade("b", "q", 0)
    assert len(queue) == 6
    assert len(done) == 3
    assert repr(done) == "3 hits of 2 runs wait to be judged, 3 are; .frame() shows them"
    cases = done.cases()
    assert cases["a"].relevant == {"m1": 1, "y": 2, "x": 0}
    assert cases["b"].kind == "unlabelled"  # something of its pool is not judged yet
    assert done.grade("b", "p", 0).cases()["b"].kind == "null"
    assert done.grade("b", "p", 1).cases()["b"].relevant == {"q": 0, "p": 1}
    assert done.grade("c", "n", 1).cases()["c"].kind == "labelled"
    assert FIRST.rescore(cases=cases).frame()["relevant"].tolist() == [2, 0, 0]


def test_a_judgement_can_be_changed() -> None:
    queue = label_queue([FIRST], depth=3).grade("a", "x", 1)
    assert queue.grade("a", "x", 0).cases()["a"].relevant == {"m1": 1, "x": 0}


def test_judged_at_k_by_hand() -> None:
    queue = label_queue([FIRST, SECOND], depth=3)
    assert queue.coverage().set_index("run")["judged"].to_dict() == pytest.approx(
        {"first": 1 / 3, "second": 1 / 3}
    )
    done = queue.grade("a", "y", 2).grade("a", "x", 0)
    assert done.coverage().set_index("run")["judged"].to_dict() == pytest.approx(
        {"first": 1.0, "second": 2 / 3}
    )
    rated = SECOND.rescore(Judged @ 3, cases=done.cases())
    assert rated.means()["mean"][0] == pytest.approx(2 / 3)


def test_what_is_no_queue() -> None:
    queue = label_queue([FIRST], depth=3)
    with pytest.raises(InputError, match="'z' is not waiting to be judged for case 'a'"):
        queue.grade("a", "z", 1)
    for grade in (-1, 1.5):
        with pytest.raises(InputError, match="a grade is 0"):
            queue.grade("a", "x", grade)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no runs to pool"):
        label_queue([])
    with pytest.raises(InputError, match="depth=0 pools nothing"):
        label_queue([FIRST], depth=0)
    with pytest.raises(InputError, match="first and other are not over the same cases"):
        label_queue([FIRST, evaluate(Fixed({}), CASES[:1], label="other")])
