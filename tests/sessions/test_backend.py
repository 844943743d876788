"""The index as a backend: recalled from, evaluated, compared like any bank."""

from __future__ import annotations

from pathlib import Path

import pytest

import memlab as ml
from memlab import RR, R
from memlab.errors import UnknownOption
from memlab.sessions import SessionIndex

LOGS = Path(__file__).parents[2] / "data" / "logs"


@pytest.fixture(scope="module")
def index() -> SessionIndex:
    return SessionIndex.build(LOGS)


def test_it_is_a_backend(index: SessionIndex) -> None:
    assert isinstance(index, ml.Backend)
    assert index.name == "sessions"
    memories = index.memories()
    assert len(memories) == index.report.documents
    frame = memories.frame()
    assert frame["id"].is_unique
    assert set(frame["type"]) == {"user", "assistant"}
    assert len(index.memories(agent="claude")) < len(memories)


def test_recall_answers_as_all_backends_do(index: SessionIndex) -> None:
    recall = index.recall("which database does dispatch use?", ranking="bm25", limit=5)
    assert recall.outcome == "ok"
    assert len(recall) == 5
    assert recall.options["ranking"] == "bm25"
    assert recall.text == index.search("which database does dispatch use?", 5, ranking="bm25").text
    spoken = index.recall("which database does dispatch use?", limit=5)
    assert set(spoken.ids) <= {memory.id for memory in index.memories()}
    assert recall.frame()["score"].is_monotonic_decreasing
    assert index.recall("qqqqzzzz").outcome == "empty"
    with pytest.raises(UnknownOption):
        index.recall("x", budget="mid")


def test_it_can_be_evaluated_beside_other_backends(index: SessionIndex) -> None:
    key = index.search("ERR_ZONE_4127 vanished tours")[0].id
    cases = ml.Cases([ml.Case(id="c1", query="ERR_ZONE_4127 vanished tours", relevant={key: 3})])
    for ranking in ("pify", "bm25"):
        result = ml.evaluate(index, cases, [R @ 5, RR], ranking=ranking)
        assert result.means().set_index("measure").loc["R@5", "mean"] == 1.0
    assert index.fingerprint == SessionIndex.build(LOGS).fingerprint


def test_logs_of_one_name_in_several_folders_have_ids_of_their_own(tmp_path: Path) -> None:
    for folder in ("a", "b", "x/c", "y/c"):
        path = tmp_path / folder / "scout-1.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text('{"role":"user","content":"kelp"}\n')
    (tmp_path / "alone.jsonl").write_text('{"role":"user","content":"kelp"}\n')
    index = SessionIndex.build(tmp_path)
    ids = {hit.id for hit in index.search("kelp")}
    assert {"alone#1", "a/scout-1#1", "b/scout-1#1"} < ids
    assert len(ids) == 5
    assert ids == {memory.id for memory in index.memories()}
