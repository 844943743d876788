"""Nothing that memlab writes lands on a bank, a log, a device, or half-way."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import memlab as ml
from memlab import files
from memlab.cli import cli
from memlab.datasets import Item
from memlab.demo import show_world
from memlab.errors import InputError
from memlab.evaluation import Case
from memlab.sample import sample_world

CASES = ml.Cases([Case("c", "which database?", {"m": 1})])
RUN = ml.evaluate(ml.Recent({"m": "text"}), CASES, ["R@8"], progress=False)
LOG = sample_world().folder / "logs"


def _dataset(path: Path) -> object:
    # The set names its files itself: here one of them is already there.
    path.rename(path.with_name("items.jsonl"))
    try:
        return ml.Dataset("d", (Item("m", "text"),), CASES).save(path.parent)
    finally:
        path.with_name("items.jsonl").rename(path)


WRITERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "cases": ("cases.jsonl", CASES.save),
    "table of cases": ("cases.csv", CASES.save),
    "run": ("run.jsonl", RUN.save),
    "TREC run": ("run.txt", RUN.to_trec),
    "baseline": ("baseline.json", ml.Baseline.of(RUN).save),
    "report": ("report.html", ml.make_report(RUN).save),
    "recording": (
        "tape.jsonl",
        lambda path: ml.Hindsight("b", url="http://127.0.0.1:9", record=path),
    ),
    "picture": ("picture.png", lambda path: list(show_world(path))),
    "data set": ("set.jsonl", _dataset),
    "sweep": ("sweep.csv", lambda path: _sweep("--csv", path)),
    "report of a sweep": ("sweep.md", lambda path: _sweep("--report", path)),
}


def _sweep(option: str, path: Path) -> None:
    world = sample_world()
    asked = ["sweep", "--bank", str(world.database), "--cases", str(world.cases)]
    done = CliRunner().invoke(cli, [*asked, "--option", "limit=1", option, str(path)])
    if done.exception is not None:
        raise done.exception


def bank(path: Path) -> bytes:
    path.write_bytes(sample_world().database.read_bytes())
    return path.read_bytes()


def pi_log(path: Path) -> bytes:
    path.write_bytes(next((LOG / "pi").rglob("*.jsonl")).read_bytes())
    return path.read_bytes()


def omp_log(path: Path) -> bytes:
    path.write_bytes(next((LOG / "omp").rglob("*.jsonl")).read_bytes())
    return path.read_bytes()


def claude_log(path: Path) -> bytes:
    path.write_bytes(next((LOG / "claude").rglob("*.jsonl")).read_bytes())
    return path.read_bytes()


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("precious", [bank, pi_log, omp_log, claude_log])
def test_a_bank_or_a_log_is_never_written_over(
    writer: str, precious: Callable[[Path], bytes], tmp_path: Path
) -> None:
    name, write = WRITERS[writer]
    before = precious(tmp_path / name)
    with pytest.raises(InputError, match="is not written over"):
        write(tmp_path / name)
    assert (tmp_path / name).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("writer", sorted(WRITERS.keys() - {"data set"}))
def test_a_pipe_stays_a_pipe(writer: str, tmp_path: Path) -> None:
    name, write = WRITERS[writer]
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / name).symlink_to(tmp_path / "pipe")
    with pytest.raises(InputError, match="device or a pipe"):
        write(tmp_path / name)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize("writer", sorted(WRITERS.keys() - {"data set"}))
def test_a_place_that_cannot_be(writer: str, tmp_path: Path) -> None:
    name, write = WRITERS[writer]
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="is a directory"):
        write(tmp_path / name)


def test_no_name_of_a_file() -> None:
    with pytest.raises(InputError, match="cannot be the name of a file"):
        RUN.save("run\0.jsonl")


def test_through_a_link_into_the_file_it_means_with_its_mode(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    assert files.write_text(link, "new\r\n") == link
    assert link.is_symlink()
    assert real.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_folders_on_the_way_are_made_and_a_file_in_the_way_is_said(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c.txt"
    assert files.write_text(deep, "x").read_text() == "x"
    with pytest.raises(InputError, match="cannot be written"):
        files.write_text(deep / "d.txt", "x")


def test_what_was_there_stays_when_writing_breaks_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("kept")

    def full(self: Path, _content: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="No space left"):
        files.write_text(path, "new")
    assert path.read_text() == "kept"
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept.txt"]


def test_half_an_emoji_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("kept")
    with pytest.raises(UnicodeEncodeError):
        files.write_text(path, "\ud83d")
    assert path.read_text() == "kept"


def test_an_empty_file_may_be_filled_and_a_new_database_not(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    assert files.write_text(path, "now").read_text() == "now"
    sqlite3.connect(tmp_path / "new.db").executescript("CREATE TABLE t (x)").connection.close()
    with pytest.raises(InputError, match="is a database"):
        files.check_target(tmp_path / "new.db")


NOBODY = "~nobody-of-that-name/there"
OPENERS: dict[str, Callable[[], object]] = {
    "bank": lambda: ml.Mnemopi(NOBODY),
    "cases": lambda: ml.Cases.load(NOBODY),
    "run": lambda: ml.Evaluation.load(NOBODY),
    "baseline": lambda: ml.Baseline.load(NOBODY),
    "set": lambda: ml.load_dataset(NOBODY),
    "log": lambda: ml.Session(NOBODY).conversation,
    "index": lambda: ml.SessionIndex.open(NOBODY),
    "recording": lambda: ml.Hindsight("b", replay=NOBODY),
}


@pytest.mark.parametrize("opener", OPENERS)
def test_the_home_of_nobody_leads_nowhere(
    opener: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ml.MemlabError, match="~nobody-of-that-name"):
        OPENERS[opener]()
    assert list(tmp_path.iterdir()) == []


def test_a_home_is_expanded_at_one_place() -> None:
    package = Path(ml.__file__).parent
    found = [path for path in package.rglob("*.py") if ".expanduser()" in path.read_text("utf-8")]
    assert [path.name for path in found] == ["files.py"]
