"""eval, sweep, compare, gate and cases as commands: what they print, write, and end with."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from memlab import Cases, Evaluation
from memlab.cli import cli
from memlab.errors import InputError, MemlabError, UnknownOption
from memlab.sample import sample_world
from tests.datasets.conftest import beam  # noqa: F401  (a fixture)

WORLD = sample_world()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))


def memlab(*args: object, code: int = 0, text: str | None = None) -> Result:
    done = CliRunner().invoke(cli, [str(arg) for arg in args], input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    memlab("eval", "--run", before, "--label", "before")
    memlab("eval", "--run", after, "--option", "limit=3")
    return before, after


def test_eval_of_the_sample_world(tmp_path: Path) -> None:
    report = tmp_path / "r.html"
    done = memlab("eval", "--measure", "nDCG@8", "--measure", "Injected", "--report", report)
    assert "mnemopi: 50 cases (45 labelled, 5 null)" in done.output
    assert "  nDCG@8            0.558  over 45" in done.output
    assert "rare-token" in done.output
    assert "<h1>Evaluation of mnemopi</h1>" in report.read_text()


def test_eval_of_a_bank(tmp_path: Path) -> None:
    cases = Cases.load(WORLD.cases).filter(bank="team").save(tmp_path / "c.jsonl")
    done = memlab(
        "eval", "--bank", WORLD.database, "--cases", cases, "--now", WORLD.now,
        "--system", "mnemopi", "--system", "bm25", "--system", "oracle", "--option", "limit=4",
        "--measure", "R@4", "--by", "kind", "--run", tmp_path / "runs",
    )  # fmt: skip
    assert "oracle (limit=4): 8 cases" in done.output
    names = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert names == ["bm25.jsonl", "mnemopi.jsonl", "oracle.jsonl"]
    assert Evaluation.load(tmp_path / "runs" / "mnemopi.jsonl").options == {
        "limit": 4, "now": WORLD.now,
    }  # fmt: skip


def test_an_option_is_never_ignored() -> None:
    """What a system does not know it refuses; only beside a bank it is the bank's alone."""
    for command in ("eval", "sweep"):
        with pytest.raises(UnknownOption, match="bm25 has no option 'mmr_lambda'"):
            memlab(command, "--system", "bm25", "--option", "mmr_lambda=0.5")
    both = ("--system", "bm25", "--system", "mnemopi", "--option", "mmr_lambda=0.5")
    said = memlab("eval", *both, "--option", "limit=4").output
    assert "bm25 (limit=4): 50 cases" in said
    assert "mnemopi (mmr_lambda=0.5, limit=4): 50 cases" in said


def test_each_set_has_its_own_banks(beam: Path) -> None:  # noqa: F811
    """Sessions instead of turns, or a text that was mended, are other items."""
    args = ("eval", "--dataset", beam, "--system", "mnemopi", "--system", "oracle")
    assert memlab(*args, "--measure", "R@8").exit_code == 0
    said = memlab(*args, "--sessions", "--measure", "R@8").output
    assert "  R@8               1.000" in said.partition("oracle:")[2]
    chat = next(beam.glob("*/chat*.json"))
    chat.write_text(chat.read_text().replace("the", "The"))
    assert memlab(*args).exit_code == 0


def test_what_cannot_be_written_is_said_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="neither .html nor .md"):
        memlab("eval", "--bank", tmp_path / "none", "--report", "x.pdf")
    assert "'--by'" in memlab("eval", "--by", "nothing", code=2).output
    (tmp_path / "file").touch()
    out = str(tmp_path / "file" / "c.jsonl")
    command = [sys.executable, "-m", "memlab", "cases", "convert", str(WORLD.cases), out]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("memlab: ")
    assert "Traceback" not in done.stderr


def test_eval_of_a_set(beam: Path, tmp_path: Path) -> None:  # noqa: F811
    args = ("eval", "--dataset", beam, "--folder", tmp_path / "banks", "--measure", "R@10")
    done = memlab(*args)
    assert "beam: 7 items in 2 banks" in done.output
    for name in ("mnemopi", "bm25", "lsa"):
        assert f"{name}: 5 cases (3 labelled, 1 null, 1 unlabelled)" in done.output
    assert memlab(*args, "--first", 1, "--system", "bm25", "--folder", tmp_path / "other")
    assert "batch" not in memlab(*args, "--sessions", "--folder", tmp_path / "third").output


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--bank", "x.db"], "A bank needs --cases"),
        (["--cases", "x.jsonl"], "cases need --bank"),
        (["--dataset", "x", "--bank", "y"], "not both"),
        (["--option", "limit"], "write it as NAME=VALUE"),
        (["--dataset", "nowhere"], "memlab downloads nothing"),
        (["--only-failed"], "only_failed=True needs run="),
    ],
)
def test_what_cannot_be_asked(args: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        memlab("eval", *args)


def test_sweep(tmp_path: Path) -> None:
    table, report = tmp_path / "t.csv", tmp_path / "r.md"
    args = ("sweep", "--option", "limit=2,8", "--option", "mmr_lambda=0.7", "--measure", "R@8")
    done = memlab(*args, "--csv", table, "--report", report)
    assert done.output.startswith("2 settings, 50 cases, 100 recalls asked\n")
    assert "limit=8\n  R@8 on held-out cases" in done.output
    assert table.read_text().splitlines()[0] == "limit,R@8,failed"
    assert report.read_text().startswith("# Sweep\n")
    assert "0 recalls asked" in memlab(*args).output
    assert "100 recalls asked" in memlab(*args, "--no-cache").output


def test_compare(runs: tuple[Path, Path], tmp_path: Path) -> None:
    done = memlab("compare", *runs, "--flips", "--report", tmp_path / "r.html")
    assert done.output.startswith("before  ->  mnemopi (limit=3)\n")
    assert "2 cases changed" in done.output
    assert "update-1" in done.output
    assert "Who flipped" in done.output
    alone = memlab("compare", *runs, "--by", "none", "--measure", "nDCG@8")
    assert "4 cases changed" in alone.output


def test_gate(runs: tuple[Path, Path], tmp_path: Path) -> None:
    before, after = runs
    baseline = tmp_path / "b.json"
    assert "is the new baseline" in memlab("gate", before, baseline, "--update").output
    assert memlab("gate", before, baseline).output.startswith("PASSED: before against before")
    done = memlab("gate", after, baseline, "--report", tmp_path / "r.md", code=1)
    assert done.output.startswith("FAILED: mnemopi (limit=3) against before: 4 of 5")
    assert "update-1 (which database does dispatch use now?): Success@8 1 -> 0" in done.output
    memlab("gate", after, baseline, "--absolute", 0.1)
    memlab("gate", after, baseline, "--significance", 0.05)
    memlab("gate", after, baseline, "--absolute", 0.1, "--by-category", code=1)
    shown = memlab("gate", after, baseline, "--update")
    assert "0.656 -> 0.589" in shown.output
    memlab("gate", after, baseline)


def test_the_shell_sees_how_a_gate_ends(runs: tuple[Path, Path], tmp_path: Path) -> None:
    baseline = tmp_path / "b.json"
    memlab("gate", runs[0], baseline, "--update")
    for run, code in zip(runs, (0, 1), strict=True):
        done = subprocess.run(
            [sys.executable, "-m", "memlab", "gate", run, baseline],
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "memlab", "gate", runs[0], tmp_path / "none.json"],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("memlab: There is no baseline at")


def test_cases_check(tmp_path: Path) -> None:
    assert (
        "0 doubtful labels or questions"
        in memlab("cases", "check", WORLD.cases, "--bank", WORLD.database).output
    )
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "query": "q", "relevant": {"gone": 1}}\n{"id": "b"}\n')
    done = memlab("cases", "check", path, "--bank", WORLD.database, code=1)
    assert "no field 'relevant'" in done.output
    assert "1 doubtful labels or questions" in done.output
    assert "no memory answers to this label" in done.output


def test_cases_make_and_convert(tmp_path: Path) -> None:
    out = tmp_path / "self.jsonl"
    memlab("cases", "make", WORLD.database, out, "--kind", "rare-tokens", "--per-kind", 3)
    cases = Cases.load(out)
    assert cases.counts().to_dict() == {"rare-tokens": 6}  # three of each tier
    memlab("cases", "convert", out, tmp_path / "self.csv")
    assert Cases.load(tmp_path / "self.csv") == cases
    memlab("cases", "convert", WORLD.cases, tmp_path / "trec")
    assert (tmp_path / "trec" / "qrels.txt").read_text().startswith("rare-1 0 dis-004 3\n")


def test_cases_label(runs: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "labels.jsonl"
    first = memlab("cases", "label", *runs, "--out", out, "--depth", 2, text="2\n0\ns\nq\n")
    left = int(first.output.split(" left.")[0])
    again = memlab("cases", "label", *runs, "--out", out, "--depth", 2, text="q\n")
    assert int(again.output.split(" left.")[0]) == left - 2
    before = {case.id: dict(case.relevant or {}) for case in Cases.load(WORLD.cases)}
    after = {case.id: dict(case.relevant or {}) for case in Cases.load(out)}
    added = [g for name in after for k, g in after[name].items() if k not in before[name]]
    assert sorted(added) == [0, 2]


def test_labelling_shows_nothing_that_moves_the_cursor(tmp_path: Path) -> None:
    run = tmp_path / "r.jsonl"
    memlab("eval", "--run", run)
    text = run.read_text().replace("went live on", "\\u001b[2Jwent live on")
    run.write_text(text)
    shown = memlab("cases", "label", run, "--out", tmp_path / "l.jsonl", text="s\n" * 300).output
    assert "went live on" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("name", ["eval", "sweep", "compare", "gate", "cases"])
def test_help(name: str) -> None:
    assert memlab(name, "--help").output.startswith(f"Usage: cli {name}")


def test_errors_are_memlabs_own(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps({"no": "run"}))
    for command in (["gate", tmp_path / "r.jsonl", tmp_path / "b.json"],
                    ["compare", tmp_path / "r.jsonl", tmp_path / "r.jsonl"],
                    ["cases", "check", tmp_path / "none"]):  # fmt: skip
        with pytest.raises(MemlabError):
            memlab(*command)


def test_the_workflow_to_copy_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its memlab commands as they stand, on the sample bank."""
    path = Path(__file__).parents[2] / "notebooks" / "recall-gate.yml"
    job = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]["recall"]
    commands = [step["run"] for step in job["steps"] if "memlab " in step.get("run", "")]
    commands = [command for command in commands if command.startswith("memlab")]
    assert [command.split()[1] for command in commands] == ["eval", "gate"]
    monkeypatch.chdir(tmp_path)
    baseline = tmp_path / "team.json"
    cases = Cases.load(WORLD.cases).filter(bank="team").save(tmp_path / "team.jsonl")
    places = {"$BANK": WORLD.database, "$CASES": cases, "$BASELINE": baseline}
    words = [[str(places.get(w, w)) for w in shlex.split(command)[1:]] for command in commands]
    memlab(*words[0])
    memlab("gate", "run.jsonl", baseline, "--update")
    assert memlab(*words[1]).output.startswith("PASSED")
    assert (tmp_path / "report.html").exists()
