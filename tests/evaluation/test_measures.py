"""Measures against figures worked out by hand, against ir-measures, and the rules between them."""

from __future__ import annotations

import logging
import math
import random
import subprocess
import sys

import ir_measures
import pytest

from memlab import AP, RR, Case, Cases, Judged, P, R, Success, evaluate, nDCG
from memlab.errors import BackendUnavailable, InputError, RecallTimeout
from memlab.evaluation import Covered, Injected, RAll, RelevantShare, Tokens
from memlab.evaluation.evaluation import Evaluation
from memlab.evaluation.measures import parse_measures
from tests.evaluation.fakes import Fixed, Told, memory


def run(
    answers: dict[str, Told], labels: dict[str, dict[str, int] | None], *measures: object
) -> Evaluation:
    cases = Cases(Case(name, name, relevant) for name, relevant in labels.items())
    stored = [memory(f"m{number}") for number in range(9)]
    return evaluate(Fixed(answers, stored), cases, list(measures))  # type: ignore[arg-type]


def value(keys: list[str], relevant: dict[str, int], measure: object) -> float:
    return float(run({"q": keys}, {"q": relevant}, measure).frame()[str(measure)][0])


def test_by_hand() -> None:
    keys, relevant = ["x", "a", "b", "y", "c"], {"a": 3, "b": 1, "c": 2, "d": 1}
    assert value(keys, relevant, P @ 3) == pytest.approx(2 / 3)
    assert value(keys, relevant, R @ 3) == pytest.approx(2 / 4)
    assert value(keys, relevant, RR) == pytest.approx(1 / 2)
    assert value(keys, relevant, AP) == pytest.approx((1 / 2 + 2 / 3 + 3 / 5) / 4)
    assert value(keys, relevant, Success @ 1) == 0
    assert value(keys, relevant, Success @ 2) == 1
    gain = 3 / math.log2(3) + 1 / math.log2(4) + 2 / math.log2(6)
    ideal = 3 + 2 / math.log2(3) + 1 / math.log2(4) + 1 / math.log2(5)
    assert value(keys, relevant, nDCG @ 5) == pytest.approx(gain / ideal)
    assert value(keys, relevant, Judged @ 5) == pytest.approx(3 / 5)
    assert value(keys, relevant, RAll @ 5) == 0
    assert value([*keys, "d"], relevant, RAll @ 6) == 1


def test_a_hit_at_rank_two_is_not_perfect() -> None:
    """A script in common use gives ranks 1 and 2 the same weight, so 1.0 here."""
    assert value(["x", "a"], {"a": 1}, nDCG @ 5) == pytest.approx(0.6309, abs=1e-4)


def test_recall_is_not_hit_rate() -> None:
    """A tool in common use counts 1 as soon as anything relevant is found."""
    assert value(["a"], {"a": 1, "b": 1, "c": 1, "d": 1}, R @ 5) == 0.25


@pytest.mark.parametrize("key", ["a", "m", "z"])
def test_names_do_not_decide_ties(key: str) -> None:
    """Every hit has the same score: the backend's order counts, whatever the ids are called."""
    assert value([key, "b", "y"], {key: 1}, nDCG @ 1) == 1
    assert value(["b", "y", key], {key: 1}, RR) == pytest.approx(1 / 3)


def test_random_rankings_equal_ir_measures() -> None:
    chance = random.Random(5)
    measures = [nDCG @ 5, R @ 3, P @ 4, RR, AP, Success @ 2, Judged @ 4, nDCG, R @ 20]
    answers: dict[str, Told] = {}
    labels: dict[str, dict[str, int] | None] = {}
    for number in range(60):
        keys = [f"d{n}" for n in chance.sample(range(20), chance.randint(1, 8))]
        answers[f"q{number}"] = keys
        chosen = chance.sample(range(20), chance.randint(1, 6))
        labels[f"q{number}"] = {f"d{n}": chance.choice([0, 1, 1, 2]) for n in chosen} | {"d0": 1}
    mine = run(answers, labels, *measures)
    scored = {
        q: {key: 100.0 - rank for rank, key in enumerate(keys)} for q, keys in answers.items()
    }  # type: ignore[arg-type]
    theirs = ir_measures.calc_aggregate(measures, labels, scored)
    means = mine.means().set_index("measure")["mean"]
    for measure in measures:
        assert means[str(measure)] == pytest.approx(theirs[measure], abs=1e-12)


def test_a_repeated_key_counts_once_and_keeps_its_place() -> None:
    relevant = {"a": 1, "b": 1}
    assert value(["a", "a", "b"], relevant, P @ 2) == 0.5
    assert value(["a", "a", "b"], relevant, R @ 2) == 0.5
    assert value(["a", "a", "b"], relevant, AP) == pytest.approx((1 + 2 / 3) / 2)
    assert value(["a", "a", "b"], relevant, Judged @ 3) == 1
    assert value(["x", "x", "a"], relevant, RR) == pytest.approx(1 / 3)


def test_an_empty_answer_counts_nothing_and_is_counted() -> None:
    found = run({"q": [], "r": ["a"]}, {"q": {"a": 1}, "r": {"a": 1}}, R @ 5, Judged @ 5, Covered)
    assert found.frame()["Covered"].tolist() == [0.0, 1.0]
    means = found.means().set_index("measure")
    assert means.loc["R@5"].tolist() == [0.5, 2, 0]
    assert means.loc["Judged@5"].tolist() == [1.0, 1, 0]  # of nothing no share is judged
    assert means.loc["Covered", "mean"] == 0.5


def test_cases_without_labels_are_left_out() -> None:
    """A question without evidence has no recall: it is neither 1 nor 0."""
    labels = {"q": {"a": 1}, "null": {}, "open": None, "judged": {"a": 0}}
    found = run({key: ["a"] for key in labels}, labels, R @ 5, Injected)  # type: ignore[arg-type]
    means = found.means().set_index("measure")
    assert means.loc["R@5"].tolist() == [1.0, 1, 0]
    assert means.loc["Injected"].tolist() == [1.0, 2, 0]
    frame = found.frame().set_index("id")
    assert frame["Injected"].dropna().index.tolist() == ["null", "judged"]
    kinds = frame["kind"].to_dict()
    assert kinds == {"q": "labelled", "null": "null", "open": "unlabelled", "judged": "null"}


def test_failures_are_never_averaged_in_silence() -> None:
    answers: dict[str, Told] = {
        "a": ["m1"],
        "b": RecallTimeout("30 s"),
        "c": BackendUnavailable("x"),
    }
    found = run(answers, {name: {"m1": 1} for name in "abc"}, R @ 5)
    with pytest.raises(InputError, match=r"2 of 3 cases failed \(1 timeout, 1 unavailable\)"):
        found.means()
    with pytest.raises(InputError, match="Choose failed='skip'"):
        found.by()
    assert found.means("skip")["mean"].tolist() == [1.0]
    assert found.means("zero")["mean"].tolist() == [pytest.approx(1 / 3)]
    assert found.means("skip").iloc[0].tolist() == ["R@5", 1.0, 1, 2]
    assert "2 cases FAILED (1 timeout, 1 unavailable)" in repr(found)
    assert "2 cases FAILED" in found._repr_html_()
    assert found.failures()["error"].tolist() == ["RecallTimeout: 30 s", "BackendUnavailable: x"]
    with pytest.raises(InputError, match="failed='half'"):
        found.means("half")  # type: ignore[arg-type]


def test_tokens() -> None:
    texts = {"a": "one two three", "b": "four five six seven eight"}
    backend = Fixed({"q": ["a", "b"]}, [memory(k, t) for k, t in texts.items()], texts=texts)
    measures = [Tokens, Tokens @ 1, RelevantShare, RelevantShare @ 2]
    row = evaluate(backend, [Case("q", "q", {"a": 1})], measures).frame().iloc[0]
    assert row["Tokens"] == row["tokens"] > row["Tokens@1"] + 5
    assert row["Tokens@1"] == 3
    assert row["RelevantShare"] == pytest.approx(3 / row["Tokens"])
    assert row["RelevantShare@2"] == pytest.approx(3 / 8)


def test_measures_by_name() -> None:
    assert parse_measures(["nDCG@10", "Hit@5", "P(rel=2)@3", "Injected", "Tokens@3", "RR"]) == (
        nDCG @ 10, Success @ 5, P(rel=2) @ 3, Injected, Tokens @ 3, RR,
    )  # fmt: skip
    assert parse_measures(nDCG @ 10) == (nDCG @ 10,)
    assert parse_measures(["RR", RR]) == (RR,)
    assert [str(m) for m in parse_measures(None)] == [
        "Success@8", "R@8", "RR@8", "nDCG@8", "Injected",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("nDCP@10", "'nDCP@10' is no measure that is known. Some: nDCG@10"),
        ("Tokens@x", "'x' is not a rank"),
        (5, "5 is no measure"),
        ([], "No measure is given"),
        (R, "R cannot be computed: .*cutoff.* Say at which rank, such as R@10"),
        ("P", "such as P@10"),
        ("__import__('os')", "is no measure"),
        ("nDCG.x@3", "is no measure"),
        ("nDCG@@3", "is no measure"),
        ("nDCG(1)@3", "is no measure"),
        ("nDCG@10;R@5", "is no measure"),
        ("nDCG@" + "(" * 300, "is no measure"),
        ("nDCG(foo=1)@3", "nDCG cannot be computed: unsupported params found: .'foo'"),
        ("nDCG(**{'a': 1})@3", "nDCG cannot be computed: unsupported params"),
        ("nDCG(rel={1: 2})@3", "nDCG cannot be computed: unsupported params"),
        # A rank below 1 ends the process inside trec_eval.
        ("R@0", "R@0 has no such rank"),
        (nDCG @ 0, "nDCG@0 has no such rank"),
        (R @ True, "has no such rank"),
        ("Tokens@0", "Tokens@0 has no such rank"),
        (Injected @ -1, "Injected@-1 has no such rank"),
        # These need a Perl script or packages that are not there.
        ("ERR@10", "ERR@10 is a measure that memlab cannot compute"),
        ("nDCG(dcg='exp-log2')@10", "memlab cannot compute"),
        ("alpha_nDCG@10", "memlab cannot compute"),
        ("RBP(p=0.8)", "memlab cannot compute"),
    ],
)
def test_what_is_no_measure(measure: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_measures(measure)  # type: ignore[arg-type]


def test_the_logger_of_ir_measures_is_left_alone() -> None:
    """Importing it adds a handler that writes to stderr; memlab takes it off again."""
    assert logging.getLogger("ir_measures").handlers == []
    code = (
        "import logging; from memlab import nDCG; "
        "print(logging.getLogger('ir_measures').handlers, logging.getLogger('ir_measures').level)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("[] 0", "")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif(sys.version_info >= (3, 14), reason="ir-measures reads no names there")
@pytest.mark.parametrize(
    "name",
    ["nDCG@10", "R@5", "RR", "AP(rel=2)@100", "P(rel=2)@5", "AP(rel=2)",
     "nDCG(gains={0: 0, 1: 5})@3", "Judged@8", "RR@10", "Bpref", "Rprec"],
)  # fmt: skip
def test_a_name_is_read_as_ir_measures_reads_it(name: str) -> None:
    own = parse_measures(name)[0]
    assert own == ir_measures.parse_measure(name)
    assert parse_measures(str(own)) == (own,)
