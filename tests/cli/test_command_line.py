"""The command line as a whole: help, and what ends in one line instead of a trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memlab.cli import cli
from memlab.sample import sample_world

WORLD = sample_world()


def _memlab(*arguments: object, cwd: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "memlab", *map(str, arguments)],
        cwd=cwd, capture_output=True, check=False, env={**os.environ, **variables},
    )  # fmt: skip


@pytest.mark.parametrize("width", [40, 80])
def test_the_list_of_commands_cuts_no_sentence(width: int) -> None:
    done = CliRunner().invoke(cli, ["--help"], terminal_width=width)
    assert "..." not in done.output.partition("Commands:")[2]
    assert "how well" in " ".join(done.output.split())
    assert max(map(len, done.output.splitlines())) <= width
    listed = [
        name for name in cli.list_commands(click.Context(cli)) if f"\n  {name} " in done.output
    ]
    assert listed == cli.list_commands(click.Context(cli))


@pytest.mark.parametrize("group", ["cases", "engine", "hindsight", "sessions"])
def test_groups_cut_none_either(group: str) -> None:
    done = CliRunner().invoke(cli, [group, "--help"], terminal_width=80)
    assert done.exit_code == 0
    assert "..." not in done.output.partition("Commands:")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("demo", "--picture", "picture.foo"), "ends in .png"),
        (("demo", "--picture", "picture"), "ends in .png"),
        (("demo", "--picture", ""), "ends in .png"),
        (("demo", ""), "is a directory"),
        (("demo", "x" * 300 + ".db"), "too long"),
        (("cases", "make", WORLD.database, "."), "directory"),
    ],
)
def test_a_place_that_cannot_be_used_is_one_line(
    arguments: tuple[object, ...], said: str, tmp_path: Path
) -> None:
    done = _memlab(*arguments, cwd=tmp_path)
    assert done.returncode == 1
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("memlab: ")
    assert said in lines[0]


def test_an_error_cannot_drive_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "my\x1b[2Jbank.db").write_text("no bank")
    done = _memlab("demo", "mybank.db", cwd=tmp_path)
    assert b"Did you mean" in done.stderr
    assert b"\x1b" not in done.stderr


def test_an_encoding_that_lacks_a_character(tmp_path: Path) -> None:
    done = _memlab("demo", cwd=tmp_path, PYTHONIOENCODING="cp1252")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"The picture is in memlab-demo.png." in done.stdout
    assert b"zone?20 seconds" in done.stdout
