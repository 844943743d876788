"""The demo and the command line around it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from memlab.cli import cli
from memlab.demo import show_bank, show_world
from memlab.sample import sample_world
from tests.golden_data import GOLDEN

PNG = b"\x89PNG\r\n\x1a\n"


def test_the_demo_tells_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "demo.png"
    text = "\n".join(show_world(picture))
    assert picture.read_bytes().startswith(PNG)
    assert "29 memories and 14 facts" in text
    assert "(id: dis-015)" in text
    assert "50 questions were asked" in text
    assert str(picture) in text
    assert all(len(line) <= 120 for line in text.splitlines())


def test_looking_leaves_the_sample_as_it_is(tmp_path: Path) -> None:
    world = sample_world()
    files = sorted(world.folder.glob("banks/**/*"))
    before = {path: path.read_bytes() for path in files if path.is_file()}
    list(show_world(tmp_path / "demo.png"))
    assert sorted(world.folder.glob("banks/**/*")) == files
    assert {path: path.read_bytes() for path in before} == before


def test_a_bank_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.db"
    shutil.copyfile(GOLDEN / "polyglot.db", own)
    with closing(sqlite3.connect(own)) as db, db:
        db.execute("UPDATE working_memory SET content = content || char(27) || '[2J'")
    text = "\n".join(show_bank(own, tmp_path / "own.png"))
    assert "52 memories" in text
    assert text.count("\n> ") == 3
    assert "null-strange" in text
    assert "\x1b" not in text
    assert (tmp_path / "own.png").read_bytes().startswith(PNG)


def _memlab(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memlab", *arguments],
        cwd=cwd, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_an_error_is_one_line(tmp_path: Path) -> None:
    done = _memlab("demo", "nowhere.db", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("memlab: No bank at nowhere.db.")
    assert len(done.stderr.splitlines()) == 1


def test_help_names_every_command() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    assert result.exit_code == 0
    for name in cli.list_commands(None):  # type: ignore[arg-type]
        assert f"\n  {name} " in result.output
        shown = CliRunner().invoke(cli, [name, "--help"])
        assert shown.exit_code == 0, shown.output
        assert "Usage:" in shown.output


def test_unknown_command(tmp_path: Path) -> None:
    done = _memlab("demmo", cwd=tmp_path)
    assert done.returncode == 2
    assert "No such command" in done.stderr


@pytest.mark.parametrize("arguments", [["--version"], ["demo", "--help"]])
def test_quick_questions(arguments: list[str], tmp_path: Path) -> None:
    done = _memlab(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
