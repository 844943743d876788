"""Runs on disk: saved, judged anew, gone on with after a kill, asked again where they failed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from memlab import RR, Case, Cases, Evaluation, Mnemopi, R, evaluate, nDCG
from memlab.backends.baselines import Bm25
from memlab.errors import BackendUnavailable, FormatError, InputError, RecallTimeout
from tests.evaluation.fakes import Fixed, memory

LABELS = Cases(Case(str(n), f"q{n}", {"m1": 1}, notes="half \ud83d emoji") for n in range(6))
STORED = [memory("m1")]
TIMES = "seconds"


def same(one: Evaluation, other: Evaluation) -> None:
    pd.testing.assert_frame_equal(
        one.frame().drop(columns=TIMES), other.frame().drop(columns=TIMES)
    )
    pd.testing.assert_frame_equal(one.relevant(), other.relevant())
    pd.testing.assert_frame_equal(one.hits(), other.hits())


def test_saved_and_loaded(
    tmp_path: Path, world_banks: dict[str, Mnemopi], world_cases: Cases, now: str
) -> None:
    run = evaluate(world_banks, world_cases, [nDCG @ 8, "Tokens"], now=now, label="engine")
    back = Evaluation.load(run.save(tmp_path / "run.jsonl"))
    assert back.frame().equals(run.frame())
    same(back, run)
    assert repr(back) == repr(run)
    assert back.context == run.context


def test_everything_that_matters_is_written_down(
    tmp_path: Path, world_banks: dict[str, Mnemopi], now: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMOPI_ENHANCED_RECALL", "1")
    monkeypatch.setenv("HINDSIGHT_API_TOKEN", "s3cret")
    monkeypatch.setenv("HINDSIGHT_API_URL", "http://me:s3cret@memory.example")
    run = evaluate(world_banks["team"], [Case("a", "q", {"m": 1})], now=now, limit=4)
    run.save(tmp_path / "r.jsonl")
    assert "s3cret" not in (tmp_path / "r.jsonl").read_text()
    context = Evaluation.load(tmp_path / "r.jsonl").context
    assert context is not None
    assert dict(context.options) == {"limit": 4, "now": now}
    assert context.variables == {
        "HINDSIGHT_API_TOKEN": "(set)",
        "HINDSIGHT_API_URL": "http://***@memory.example",
        "MNEMOPI_ENHANCED_RECALL": "1",
    }
    assert list(context.data) == ["mnemopi:team"]
    rows = context.frame().set_index("setting")["value"]
    assert rows["options.limit"] == "4"
    assert rows["versions.python"].startswith("3.")
    assert len(rows["cases"]) == len(rows["data.mnemopi:team"]) == 24


def test_judged_anew_without_asking(tmp_path: Path) -> None:
    backend = Fixed({f"q{n}": ["x", "m1"] for n in range(6)}, STORED)
    run = evaluate(backend, LABELS, [R @ 1])
    run.save(tmp_path / "r.jsonl")
    asked = len(backend.asked)
    loaded = Evaluation.load(tmp_path / "r.jsonl")
    assert loaded.rescore([RR]).frame()["RR"].tolist() == [0.5] * 6
    relabelled = Cases(Case(str(n), f"q{n}", {"x": 1}) for n in range(3))
    assert loaded.rescore(cases=relabelled).frame()["R@1"].tolist() == [1.0] * 3
    assert len(backend.asked) == asked
    with pytest.raises(InputError, match="1 cases were never asked and 1 ask something else now"):
        loaded.rescore(cases=Cases([Case("new", "q", {}), Case("0", "other", {})]))


def test_the_circumstances_follow_the_labels(tmp_path: Path) -> None:
    """A run judged by other labels must not pass for one by the old labels."""
    first = evaluate(Fixed({}, STORED), LABELS, [RR])
    others = Cases(replace(case, relevant={"m2": 1}) for case in LABELS)
    first.gate(tmp_path / "all.json", update=True)
    with pytest.raises(InputError, match="The labels have changed"):
        first.rescore(cases=others).gate(tmp_path / "all.json")
    part = LABELS[:3]
    first.rescore(cases=part).gate(tmp_path / "part.json", update=True)
    assert evaluate(Fixed({}, STORED), part, [RR]).gate(tmp_path / "part.json").passed


def test_every_bank_has_its_hash(tmp_path: Path) -> None:
    """Backends may have one name; a change in any of them is another run."""
    cases = [Case("1", "q", {"a": 1}, bank="x"), Case("2", "q", {"a": 1}, bank="y")]

    def run(text: str) -> Evaluation:
        banks = {"x": Bm25({"a": text}), "y": Bm25({"a": "q"})}
        return evaluate(banks, cases, [RR], run=tmp_path / "r.jsonl")

    context = run("q").context
    assert context is not None
    assert set(context.data) == {"bm25 for x", "bm25 for y"}
    with pytest.raises(InputError, match="holds another run .*data.bm25 for x"):
        run("q and more")


def test_no_hit_outside_is_not_the_same_as_no_scope(tmp_path: Path) -> None:
    cases = [Case("1", "q1", {"m1": 1}), Case("2", "nothing", {})]
    told = Fixed({"q1": ["m1", "x"]}, STORED)
    done = evaluate(told, cases, ["Leaked"], allowed=["m1"])
    loaded = Evaluation.load(done.save(tmp_path / "r.jsonl"))
    assert done.means()["mean"].tolist() == loaded.means()["mean"].tolist() == [0.25]
    assert evaluate(told, cases, ["Leaked"]).means()["cases"].tolist() == [0]


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    class Breaking(Fixed):
        def recall(self, query: str, **options: object):  # type: ignore[no-untyped-def]
            if query == "q3":
                raise KeyboardInterrupt
            return super().recall(query, **options)  # type: ignore[arg-type]

    Breaking.__name__ = "Fixed"  # it stands for the same backend on a worse day
    answers = {f"q{n}": ["m1"] * (n % 2) for n in range(6)}
    path = tmp_path / "r.jsonl"
    with pytest.raises(KeyboardInterrupt):
        evaluate(Breaking(answers, STORED), LABELS, run=path)
    path.write_bytes(path.read_bytes() + b'{"answer":{"case":"3","out')  # cut off in the middle
    whole = Fixed(answers, STORED)
    resumed = evaluate(whole, LABELS, run=path)
    assert whole.asked == ["q3", "q4", "q5"]
    same(resumed, evaluate(Fixed(answers, STORED), LABELS))
    same(Evaluation.load(path), resumed)


KILLED = """
import sys
sys.path.insert(0, sys.argv[1])
import time
from tests.evaluation.fakes import Fixed, memory
from memlab import Case, evaluate

class Slow(Fixed):
    def recall(self, query, **options):
        time.sleep(0.05)
        return super().recall(query, **options)

Slow.__name__ = "Fixed"
cases = [Case(str(n), f"q{n}", {"m1": 1}) for n in range(100)]
evaluate(Slow({f"q{n}": ["m1"] for n in range(100)}, [memory("m1")]), cases, run=sys.argv[2])
"""


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    root = str(Path(__file__).parents[2])
    process = subprocess.Popen([sys.executable, "-c", KILLED, root, str(path)])
    end = time.monotonic() + 60
    while time.monotonic() < end and not (
        path.exists() and path.read_bytes().count(b'"answer"') > 5
    ):
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(30)
    done = path.read_bytes().count(b'{"answer"')
    assert 5 < done < 100
    cases = [Case(str(n), f"q{n}", {"m1": 1}) for n in range(100)]
    backend = Fixed({f"q{n}": ["m1"] for n in range(100)}, STORED)
    run = evaluate(backend, cases, run=path)
    assert len(backend.asked) in (100 - done, 100 - done + 1)
    same(run, evaluate(Fixed(backend.answers, STORED), cases))


def test_only_the_failed_are_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    answers = {f"q{n}": ["m1"] for n in range(6)}
    broken = answers | {"q2": RecallTimeout("slow"), "q4": BackendUnavailable("away")}
    first = evaluate(Fixed(broken, STORED), LABELS, run=path)  # type: ignore[arg-type]
    assert first.failures()["id"].tolist() == ["2", "4"]
    kept = evaluate(Fixed(answers, STORED), LABELS, run=path)
    assert kept.failures()["id"].tolist() == ["2", "4"]  # what failed stays so, unless asked
    mended = Fixed(answers, STORED)
    again = evaluate(mended, LABELS, run=path, only_failed=True)
    assert mended.asked == ["q2", "q4"]
    assert again.failures().empty
    same(Evaluation.load(path), again)
    with pytest.raises(InputError, match="only_failed=True needs run="):
        evaluate(mended, LABELS, only_failed=True)


def test_another_run_is_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.jsonl"
    evaluate(Fixed({}, STORED), LABELS, run=path)
    with pytest.raises(InputError, match="options.limit: not there / 3"):
        evaluate(Fixed({}, STORED), LABELS, run=path, limit=3)
    with pytest.raises(InputError, match="data.told"):
        evaluate(Fixed({}, [memory("m2")]), LABELS, run=path)
    with pytest.raises(InputError, match="holds another run .*cases"):
        evaluate(Fixed({}, STORED), LABELS[:3], run=path)
    monkeypatch.setenv("MNEMOPI_POLYPHONIC_RECALL", "1")
    with pytest.raises(InputError, match="variables.MNEMOPI_POLYPHONIC_RECALL: not there / 1"):
        evaluate(Fixed({}, STORED), LABELS, run=path)


def test_a_resumed_run_keeps_its_clock(tmp_path: Path, world_banks: dict[str, Mnemopi]) -> None:
    path = tmp_path / "r.jsonl"
    cases = [Case("a", "backups", {"team-009": 1}), Case("b", "commit", {"team-001": 1})]
    first = evaluate(world_banks["team"], cases, run=path)
    time.sleep(0.01)
    assert evaluate(world_banks["team"], cases, run=path).options == first.options


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a run that memlab saved"),
        (b'{"id": "a"}\n', "is not a run that memlab saved"),
        (b'{"run": {"format": 99}}\n', "format 99; this memlab reads 1"),
        (b"SQLite format 3\0\xff" * 9_000, "is not a run that memlab saved"),
    ],
)
def test_what_is_no_run(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=said) as caught:
        Evaluation.load(path)
    assert len(str(caught.value)) < len(str(path)) + 300
    with pytest.raises(InputError, match="There is no run at"):
        Evaluation.load(tmp_path / "none.jsonl")


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = evaluate(Fixed({}, STORED), LABELS).save(tmp_path / "r.jsonl")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], json.dumps({"answer": {"case": "1"}}), *lines[3:]]))
    with pytest.raises(FormatError, match="line 4 is no line of a run"):
        Evaluation.load(path)


def test_runs_from_elsewhere(tmp_path: Path) -> None:
    cases = Cases([Case("a", "q", {"x": 1}), Case("b", "r", {"y": 1})])
    path = tmp_path / "run.txt"
    path.write_text("a Q0 z 1 0.9 tag\na Q0 x 2 0.9 tag\nb Q0 w 2 0.1 tag\nb Q0 y 1 0.7 tag\n")
    run = Evaluation.from_run(cases, path, [RR])
    assert run.frame()["RR"].tolist() == [0.5, 1.0]
    back = Evaluation.from_run(cases, run.to_trec(tmp_path / "again.txt"), [RR])
    assert back.run() == run.run() == {"a": {"z": -1, "x": -2}, "b": {"y": -1, "w": -2}}
    assert Evaluation.from_run(cases, {"a": ["x"]}, [RR]).frame()["outcome"].tolist() == [
        "ok",
        "empty",
    ]
    path.write_text("a Q0 z 1\n")
    with pytest.raises(FormatError, match="line 1: expected query, Q0, key, rank, score, tag"):
        Evaluation.from_run(cases, path)
    with pytest.raises(InputError, match="has no context"):
        run.save(tmp_path / "x.jsonl")
