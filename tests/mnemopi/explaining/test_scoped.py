"""The same questions about a recall over several banks."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlab import MnemopiScope, Scope, build_bank
from memlab.errors import MemoryNotFound

NOW = "2026-03-01T12:00:00.000Z"


@pytest.fixture
def scope(tmp_path: Path) -> MnemopiScope:
    """A project's bank with two memories, and the shared one with three."""
    shared = tmp_path / "lab" / "mnemopi.db"
    where = Scope.mnemopi("/work/ferry", "per-project-tagged", bank="team", path=shared)
    own = where.files[where.bank]
    build_bank(
        [{"text": "The ferry leaves at noon.", "id": "own", "importance": 0.9},
         {"text": "The ferry is red.", "id": "same", "importance": 0.1},
         {"text": "Nothing of interest.", "id": "dull"}],
        own, bank=where.bank, now=NOW,
    )  # fmt: skip
    build_bank(
        [{"text": "The ferry is red.", "id": "twin", "importance": 0.8},
         {"text": "A ferry needs a licence to sail.", "id": "common", "importance": 0.5},
         {"text": "Old ferry tale, superseded.", "id": "gone", "superseded_by": "common"}],
        shared, bank="team", now=NOW,
    )  # fmt: skip
    return MnemopiScope(where)


def test_where_each_memory_went(scope: MnemopiScope) -> None:
    recall = scope.recall("ferry", now=NOW, limit=2)
    project, team = scope.scope.bank, "team"
    own = recall.explain("own")
    assert (own.found, own.rank, own.bank) == (True, 1, project)
    assert own.sentence == f"Returned: number 1 of 2, from bank {project}."
    assert own.rank == recall.ids.index("own") + 1
    common = recall.explain("common")
    assert (common.stage, common.bank) == ("outranked", team)
    assert "over all banks it is number 3" in common.sentence
    same = recall.explain("same")
    assert same.stage == "merged"
    assert "the same text" in same.sentence
    assert "with twin" in same.sentence
    assert recall.explain("dull").stage == "not matched"
    gone = recall.explain("gone")
    assert (gone.stage, gone.bank) == ("not visible", team)
    assert {part.bank for part in gone.parts} == {team}
    with pytest.raises(MemoryNotFound, match="team"):
        recall.explain("nowhere")


def test_the_funnels_of_all_banks(scope: MnemopiScope) -> None:
    recall = scope.recall("ferry", now=NOW, limit=2)
    frame = recall.funnel()
    assert list(dict.fromkeys(frame["bank"])) == [scope.scope.bank, "team", "all"]
    last = frame.iloc[-1]
    assert (last["stage"], last["total"]) == ("returned", 2)
    returned = frame[(frame["stage"] == "returned") & (frame["bank"] != "all")]
    assert returned["total"].sum() == sum(len(part) for _, part in recall.parts)
