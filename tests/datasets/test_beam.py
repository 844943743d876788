"""BEAM: marks taken off, the right file of the two, evidence in all its shapes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlab.datasets import load_beam, load_dataset
from memlab.errors import FormatError, InputError
from tests.datasets.conftest import put


def test_messages(beam: Path) -> None:
    data = load_beam(beam)
    assert [item.text for item in data.banks()["beam-1"]] == [
        "The kiln is at 900 degrees.", "Noted.", "Glaze it on Friday.",
        "An arrow ->-> in the text.", "Now 950 degrees.", "Updated.",
    ]  # fmt: skip
    assert [item.text for item in data.banks()["beam-10"]] == ["Short."]
    assert {item.time for item in data.banks()["beam-1"]} == {datetime(2024, 3, 15, tzinfo=UTC)}
    assert [item.session for item in data.items][:5] == ["batch-1"] * 4 + ["batch-2"]
    assert data.asked_at == datetime(2024, 3, 16, tzinfo=UTC)


def test_questions(beam: Path) -> None:
    cases = load_beam(beam).cases
    assert {case.id: case.relevant for case in cases} == {
        "beam-1/abstention/1": {},
        "beam-1/information_extraction/1": {"2": 1},
        "beam-1/information_extraction/2": None,
        "beam-1/knowledge_update/1": {"0": 1, "4": 1},
        "beam-10/summarization/1": {"0": 1},
    }
    assert cases["beam-1/knowledge_update/1"].notes == "950"


def test_all_dirt_is_counted(beam: Path) -> None:
    dirt = load_beam(beam).dirt.set_index("problem")["count"].to_dict()
    assert dirt == {
        "a message ends in a generator's mark": 2,
        "a chat has a cut version too": 1,
        "a question names a message twice": 1,
        "a question has no evidence": 1,
        "a time anchor is no date": 1,
        "evidence names no message": 1,
    }


def test_one_chat_by_its_own_folder(beam: Path) -> None:
    assert list(load_dataset(beam / "10").banks()) == ["beam-10"]


def test_what_is_not_beam(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing at .*none\. memlab downloads nothing"):
        load_beam(tmp_path / "none")
    with pytest.raises(FormatError, match=r"no \*/chat.json in it"):
        load_beam(tmp_path)
    put(tmp_path / "1" / "chat.json", {"turns": []})
    with pytest.raises(FormatError, match="is not a BEAM chat"):
        load_beam(tmp_path)
    (tmp_path / "1" / "chat.json").write_text("{")
    with pytest.raises(FormatError, match="cannot be read as JSON"):
        load_beam(tmp_path)


def test_the_real_set(shared: Path) -> None:
    data = load_dataset(shared / "beam-100k")
    assert (len(data), len(data.banks()), len(data.cases)) == (3472, 14, 280)
    assert data.cases.counts("kind").to_dict() == {"labelled": 251, "null": 28, "unlabelled": 1}
    assert set(data.cases.counts()) == {28}
    dirt = data.dirt.set_index("problem")["count"].to_dict()
    assert dirt["a message ends in a generator's mark"] == 1375
    assert dirt["a chat has a cut version too"] == 5
    assert "evidence names no message" not in dirt  # every id resolves
    keys = {(item.bank, item.key) for item in data}
    assert all((case.bank, key) in keys for case in data.cases for key in case.wanted)
    assert not any("->->" in item.text[-12:] for item in data)
