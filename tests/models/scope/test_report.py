"""Who shares with whom: worktrees that fall apart, projects that collide, the six matrices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlab import Scope, ScopeReport, scope_report
from memlab.errors import InputError
from memlab.models.scope.report import reads
from tests.repositories import Repositories


@pytest.fixture
def directories(tmp_path: Path) -> dict[str, Path]:
    """A checkout, two worktrees of it, and a stranger with the name of the checkout."""
    made = Repositories(tmp_path)
    main = made.repository("GitHub/monorepo")
    return {
        "main": main,
        "tree": made.worktree(main, "GitHub/monorepo-HOA-5574"),
        "hidden": made.worktree(main, ".worktrees/monorepo/HOA-5602"),
        "stranger": made.repository("elsewhere/monorepo"),
    }


@pytest.fixture
def report(directories: dict[str, Path], tmp_path: Path) -> ScopeReport:
    return scope_report(directories.values(), bank="team", path=tmp_path / "mnemopi.db")


def rows(report: ScopeReport, cwd: Path, **where: str) -> Any:
    frame = report.frame()
    frame = frame[frame["cwd"] == str(cwd)]
    for name, value in where.items():
        frame = frame[frame[name] == value]
    return frame


def test_one_row_per_directory_mode_backend_and_rule(report: ScopeReport) -> None:
    frame = report.frame()
    assert len(frame) == 4 * (3 + 3 * 2)
    assert frame["problem"].isna().all()
    assert len(report.scopes) == len(frame)


def test_by_the_directory_worktrees_fall_apart(
    report: ScopeReport, directories: dict[str, Path]
) -> None:
    """The tag was taken from the last part of the directory: each worktree had one of its own."""
    where = {"backend": "hindsight", "mode": "per-project-tagged", "label_rule": "cwd"}
    row = rows(report, directories["main"], **where).iloc[0]
    assert row["tags"] == "project:monorepo"
    assert row["split_from"] == (str(directories["tree"]), str(directories["hidden"]))
    assert row["collides_with"] == (str(directories["stranger"]),)
    tree = rows(report, directories["tree"], **where).iloc[0]
    assert tree["tags"] == "project:monorepo-HOA-5574"
    assert tree["labels_differ"]


def test_by_the_repository_they_are_one(report: ScopeReport, directories: dict[str, Path]) -> None:
    where = {"backend": "hindsight", "mode": "per-project-tagged", "label_rule": "repository"}
    for name in ("main", "tree", "hidden"):
        row = rows(report, directories[name], **where).iloc[0]
        assert row["tags"] == "project:monorepo"
        assert row["split_from"] == ()
        assert row["collides_with"] == (str(directories["stranger"]),)


def test_mnemopi_never_joins_worktrees_and_never_collides(
    report: ScopeReport, directories: dict[str, Path]
) -> None:
    row = rows(report, directories["main"], backend="mnemopi", mode="per-project").iloc[0]
    assert row["shares_with"] == ()
    assert len(row["split_from"]) == 2
    shared = rows(report, directories["main"], backend="mnemopi", mode="global").iloc[0]
    assert len(shared["shares_with"]) == 3
    assert shared["collides_with"] == ()


def test_the_six_matrices(report: ScopeReport) -> None:
    """Retained in one directory, recalled in another: main, two worktrees, a stranger."""
    own = [[i == j for j in range(4)] for i in range(4)]
    everyone = [[True] * 4] * 4
    namesakes = [[i == j or {i, j} == {0, 3} for j in range(4)] for i in range(4)]
    assert report.matrix("mnemopi", "global").values.tolist() == everyone
    assert report.matrix("mnemopi", "per-project").values.tolist() == own
    # The shared bank is recalled from, but nothing is written to it by itself.
    assert report.matrix("mnemopi", "per-project-tagged").values.tolist() == own
    assert report.matrix("hindsight", "global").values.tolist() == everyone
    assert report.matrix("hindsight", "per-project", "cwd").values.tolist() == namesakes
    tagged = report.matrix("hindsight", "per-project-tagged", "repository")
    assert tagged.values.tolist() == everyone, "one repository, and a stranger of the same name"
    assert tagged.index.name == "retained in"


def test_nobody_elses_id_is_the_agents(directories: dict[str, Path]) -> None:
    """Other tools name a bank coding-agent::PROJECT; no setting of the agent makes that name."""
    made = {
        Scope.hindsight(directories["main"], "per-project", bank=bank, prefix=prefix).bank
        for bank in ("coding-agent:", "coding-agent", "")
        for prefix in ("", "coding-agent", "coding-agent::")
    }
    assert "coding-agent::monorepo" not in made
    assert "coding-agent-monorepo" in made


@pytest.mark.parametrize(
    ("match", "asked", "stored", "seen"),
    [
        ("any", ("a",), (), True), ("any", ("a", "b"), ("b",), True), ("any", ("a",), ("b",), False),
        ("any_strict", ("a",), (), False), ("any_strict", ("a",), ("a",), True),
        ("all", ("a", "b"), ("a",), False), ("all", ("a",), (), True),
        ("all_strict", ("a",), (), False), ("all_strict", ("a", "b"), ("a", "b", "c"), True),
        ("exact", (), ("a",), False), ("exact", (), (), True), ("exact", ("a",), ("a", "b"), False),
        (None, (), ("a",), True), ("any", (), ("a",), True),
    ],
)  # fmt: skip
def test_tags(match: Any, asked: Any, stored: Any, seen: bool) -> None:
    reader = Scope(
        "hindsight", "per-project-tagged", "/r", "b", ("b",), recall_tags=asked, match=match
    )
    writer = Scope("hindsight", "per-project-tagged", "/w", "b", ("b",), retain_tags=stored)
    assert reads(reader, writer) is seen
    assert not reads(reader, Scope("hindsight", "global", "/w", "other", ("other",)))
    assert not reads(reader, Scope("mnemopi", "global", "/w", "b", ("b",)))


def test_a_broken_repository_is_a_row_with_a_problem(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / ".git").write_bytes(b"gitdir: \xff\xfe")
    frame = scope_report([tmp_path / "broken"], ["per-project"], path=tmp_path / "m.db").frame()
    assert list(frame["problem"].notna()) == [False, False, True]
    assert "cannot be read as text" in frame["problem"].iloc[2]
    assert frame["bank"].isna().tolist() == [False, False, True]


def test_a_person_sees_where_it_goes_wrong(
    report: ScopeReport, directories: dict[str, Path], tmp_path: Path
) -> None:
    assert repr(report) == (
        "ScopeReport(4 directories, 36 rows; 3 split from their own project somewhere; "
        "4 sharing with another project somewhere)"
    )
    alone = scope_report([directories["main"]], path=tmp_path / "m.db")
    assert repr(alone) == "ScopeReport(1 directory, 9 rows)"
    html = scope_report([tmp_path / "<b>x"], path=tmp_path / "m.db")._repr_html_()
    assert "<b>x" not in html
    assert "&lt;b&gt;x" in html


def test_what_cannot_be_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="modes="):
        scope_report(["/a"], ["tagged"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="backends='mnemopi' is not a list"):
        scope_report(["/a"], backends="mnemopi")  # type: ignore[arg-type]
    report = scope_report(["/a"], backends=["hindsight"])
    with pytest.raises(InputError, match="no scopes of mnemopi"):
        report.matrix("mnemopi", "global")
    assert list(report.frame()["labels_differ"].dropna()) == [False] * 4
