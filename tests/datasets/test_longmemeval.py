"""LongMemEval: a haystack per question, labels on turns or sessions."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlab.datasets import load_dataset, load_longmemeval
from memlab.errors import FormatError, InputError
from tests.datasets.conftest import put


def test_turns(longmemeval: Path) -> None:
    data = load_dataset(longmemeval)
    assert [item.key for item in data.banks()["q1"]] == ["s1:1", "s1:2", "s2:1"]
    assert data.items[0].time == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
    assert {case.id: case.relevant for case in data.cases} == {
        "q1": {"s1:1": 1}, "q2_abs": {}, "eac54add": {"s1:2": 1}, "q4": None,
    }  # fmt: skip
    assert data.dirt.set_index("problem")["count"].to_dict() == {
        "a session id occurs twice": 4,
        "a session's date cannot be read": 4,
        "a question has no evidence": 1,
    }


def test_sessions(longmemeval: Path) -> None:
    data = load_longmemeval(longmemeval, level="session")
    assert {case.id: case.relevant for case in data.cases} == {
        "q1": {"s1": 1}, "q2_abs": {}, "eac54add": {"s1": 1}, "q4": None,
    }  # fmt: skip
    assert {case.keys for case in data.cases} == {"metadata.session"}
    assert data.dirt.set_index("problem")["count"]["evidence names no session"] == 1


def test_a_disputed_label_is_not_scored(longmemeval: Path) -> None:
    data = load_longmemeval(longmemeval, labels="audited")
    assert data.cases["eac54add"].kind == "unlabelled"


def test_what_is_not_longmemeval(tmp_path: Path, longmemeval: Path) -> None:
    with pytest.raises(InputError, match="level='word'"):
        load_longmemeval(longmemeval, level="word")  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="is not a LongMemEval file"):
        load_longmemeval(put(tmp_path / "x.json", [{"question_id": "a"}]))
