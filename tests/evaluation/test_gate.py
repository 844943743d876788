"""The gate: what passes, what does not, the diff that says why, and the new baseline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memlab import RR, Case, Cases, Evaluation, R, evaluate
from memlab.errors import FormatError, GateFailed, InputError, RecallTimeout
from memlab.evaluation import Baseline, gate
from memlab.evaluation.gating import Tolerance, check
from tests.evaluation.fakes import Fixed, Told, memory

CASES = Cases(Case(str(k), f"question {k}", {"m1": 1}, f"group {k % 2}") for k in range(10))


def run(found: int, label: str = "run", failed: int = 0, **options: Any) -> Evaluation:
    told: dict[str, Told] = {f"question {k}": ["m1"] for k in range(found)}
    told |= {f"question {9 - k}": RecallTimeout("t") for k in range(failed)}
    return evaluate(Fixed(told, [memory("m1")]), CASES, [R @ 8, "Tokens"], label=label, **options)


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    path = tmp_path / "baselines" / "b.json"
    assert run(8, "good").gate(path, update=True).passed
    return path


def test_as_good_or_better_passes(baseline: Path) -> None:
    assert str(run(8).gate(baseline, absolute=0)).startswith("PASSED: run against good\n")
    report = run(9).gate(baseline, absolute=2)
    verdicts = report.frame().set_index("measure")["verdict"].to_dict()
    assert verdicts == {"R@8": "better", "Tokens": "ok"}  # more tokens, within what is allowed


def test_worse_does_not(baseline: Path) -> None:
    with pytest.raises(GateFailed) as error:
        run(6, "new", limit=5).gate(baseline)
    assert str(error.value).splitlines() == [
        "FAILED: new against good: 1 of 2 figures are worse than allowed",
        "  R@8                        0.800 -> 0.600  -0.200  WORSE",
        "  Tokens                     4.000 -> 3.000  -1.000  better",
        "  allowed: no loss at all",
        "worse cases (2):",
        "  6 (question 6): R@8 1 -> 0",
        "  7 (question 7): R@8 1 -> 0",
        "different from the baseline (there / now):",
        "  options.limit: not there / 5",
    ]
    assert isinstance(error.value, AssertionError)


@pytest.mark.parametrize(
    ("tolerance", "passes"),
    [
        ({"absolute": 0.2}, True),
        ({"absolute": 0.19}, False),
        ({"relative": 0.25}, True),
        ({"relative": 0.24}, False),
        ({"absolute": 0.1, "relative": 0.25}, True),
        ({"significance": 0.05}, True),  # two losses of ten: chance does as much
        ({"significance": 0.6}, False),
    ],
)
def test_tolerances(baseline: Path, tolerance: dict[str, float], passes: bool) -> None:
    report = check(run(6), Baseline.load(baseline), Tolerance(**tolerance))
    assert report.passed is passes


def test_a_loss_beyond_chance_fails() -> None:
    many = Cases(Case(str(k), str(k), {"m1": 1}) for k in range(60))
    good = evaluate(Fixed({str(k): ["m1"] for k in range(60)}, [memory("m1")]), many, [R @ 8])
    bad = evaluate(Fixed({str(k): ["m1"] for k in range(45)}, [memory("m1")]), many, [R @ 8])
    with pytest.raises(GateFailed, match=r"1\.000 -> 0\.750  -0\.250, p=0\.000  WORSE"):
        gate(bad, Baseline.of(good), significance=0.05)


def test_a_category_can_fail_alone(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    evaluate(Fixed({"question 0": ["m1"]}, [memory("m1")]), CASES, [R @ 8]).gate(path, update=True)
    other = evaluate(Fixed({"question 1": ["m1"]}, [memory("m1")]), CASES, [R @ 8])
    assert other.gate(path).passed
    with pytest.raises(GateFailed, match=r"R@8 / group 0 +0\.200 -> 0\.000"):
        other.gate(path, by_category=True)


def test_new_failures_fail(baseline: Path) -> None:
    """A timeout is not a low score: it fails the gate by itself."""
    with pytest.raises(GateFailed, match=r"2 cases failed \(baseline: 0\)"):
        run(8, failed=2).gate(baseline, absolute=100)


def test_another_failure_is_not_made_up_for(tmp_path: Path) -> None:
    """As many failures as before, but of a case that was answered then: its loss is in no mean."""

    def tried(slow: int) -> Evaluation:
        told: dict[str, Told] = {f"question {k}": ["m1"] for k in range(10)}
        told[f"question {slow}"] = RecallTimeout("t")
        return evaluate(Fixed(told, [memory("m1")]), CASES, [R @ 8])

    path = tmp_path / "b.json"
    tried(3).gate(path, update=True)
    assert tried(3).gate(path).passed
    with pytest.raises(GateFailed, match="1 cases failed that the baseline has: 7 …"):
        tried(7).gate(path)


def test_a_new_baseline_shows_what_changes(baseline: Path) -> None:
    before = baseline.read_text()
    report = run(6, "lower").gate(baseline, update=True)
    assert not report.passed
    assert "0.800 -> 0.600" in str(report)
    assert baseline.read_text() != before
    assert run(6).gate(baseline).passed


def test_tolerances_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    run(8).gate(path, update=True, absolute=0.3)
    assert run(6).gate(path).passed
    run(6).gate(path, update=True)  # a new baseline keeps the tolerance
    assert run(4).gate(path).passed
    with pytest.raises(GateFailed):
        run(4).gate(path, absolute=0.1)


def test_a_baseline_holds_no_query_and_no_memory(baseline: Path) -> None:
    text = baseline.read_text()
    assert "question" not in text
    assert "text of" not in text
    assert json.loads(text)["values"]["R@8"]["8"] == 0


def test_other_cases_are_not_held_against_it(baseline: Path) -> None:
    fewer = evaluate(Fixed({}, [memory("m1")]), CASES[:9], [R @ 8, "Tokens"])
    with pytest.raises(InputError, match="other cases: 1 are gone, 0 are new. Write a new one"):
        fewer.gate(baseline)
    labelled = Cases(Case(c.id, c.query, {"m2": 1}) for c in CASES)
    with pytest.raises(InputError, match="The labels have changed since the baseline was written"):
        evaluate(Fixed({}, [memory("m1")]), labelled, [R @ 8, "Tokens"]).gate(baseline)
    asked = Cases(Case(c.id, c.query + "?", c.relevant) for c in CASES)
    with pytest.raises(InputError, match="and some ask something else"):
        evaluate(Fixed({}, [memory("m1")]), asked, [R @ 8, "Tokens"]).gate(baseline)
    with pytest.raises(InputError, match="holds R@8, Tokens, which the run does not measure"):
        run(8).rescore(RR).gate(baseline)
    fewer.gate(baseline, update=True)
    assert fewer.gate(baseline).passed


def test_what_is_no_baseline(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    with pytest.raises(InputError, match="There is no baseline at .* --update"):
        run(8).gate(path)
    for content, said in (("{", "cannot be read"), ('{"memlab_baseline": 9}', "not a baseline of"),
                          ("[]", "cannot be read"), ('{"memlab_baseline": 1}', "cannot be read")):  # fmt: skip
        path.write_text(content)
        with pytest.raises(FormatError, match=said):
            run(8).gate(path)
    path.write_bytes(b"SQLite format 3\0\xff" * 9_000)
    with pytest.raises(FormatError, match="cannot be read") as caught:
        run(8).gate(path)
    assert len(str(caught.value)) < len(str(path)) + 300
    for wrong in ({"absolute": -1}, {"relative": -0.1}, {"significance": 5}):
        with pytest.raises(InputError):
            Tolerance(**wrong)
