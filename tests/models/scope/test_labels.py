"""Project labels over real repositories: all worktrees of one repository share one label."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memlab.errors import FormatError
from memlab.models.scope.labels import project_label
from memlab.models.scope.repository import primary_root
from tests.repositories import Repositories


def test_repositories_as_people_have_them(tmp_path: Path) -> None:
    expected = Repositories(tmp_path).usual()
    assert {path: project_label(str(path), "repository") for path in expected} == expected


def test_odd_layouts(tmp_path: Path) -> None:
    expected = Repositories(tmp_path).odd()
    assert {path: project_label(str(path), "repository") for path in expected} == expected


def test_the_rule_cwd_looks_at_the_path_alone(tmp_path: Path) -> None:
    made = Repositories(tmp_path)
    repository = made.repository("GitHub/Monorepo")
    worktree = made.worktree(repository, "GitHub/monorepo-HOA-5574")
    assert project_label(str(repository), "cwd") == "Monorepo"
    assert project_label(str(worktree), "cwd") == "monorepo-HOA-5574"
    assert project_label("/", "cwd") == "unknown"
    assert project_label("/home/ada/", "cwd") == "ada"


def test_no_file_is_touched_and_no_program_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Repositories(tmp_path)
    repository = made.repository("Mono")
    worktree = made.worktree(repository, "tree")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    monkeypatch.setenv("PATH", "")
    assert primary_root(worktree) == repository
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_a_pointer_that_is_no_text_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / ".git").write_bytes(b"gitdir: \xff\xfe")
    with pytest.raises(FormatError, match=r'\.git cannot be read as text.*label rule "cwd"'):
        primary_root(tmp_path / "below")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look at everything")
def test_what_may_not_be_looked_at_is_no_repository(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    (locked / "in").mkdir(parents=True)
    locked.chmod(0)
    try:
        assert primary_root(locked / "in") is None
    finally:
        locked.chmod(0o700)
