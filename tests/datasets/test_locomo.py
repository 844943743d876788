"""LoCoMo: the right category names, every evidence string read or counted, audited labels."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlab.datasets import load_dataset, load_locomo
from memlab.errors import FormatError, InputError
from tests.datasets.conftest import put


def test_turns(locomo: Path) -> None:
    items = load_locomo(locomo).items
    assert [(item.key, item.text) for item in items] == [
        ("D1:1", "Ann: I keep bees."),
        ("D1:2", "Bo: Look! [shows a picture: a red boat]"),
        ("D2:1", "Ann: The hives moved."),
    ]
    assert items[0].time == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert items[2].time is None
    assert load_locomo(locomo, captions=False).items[1].text == "Bo: Look!"


def test_evidence(locomo: Path) -> None:
    data = load_locomo(locomo)
    assert {case.query: case.relevant for case in data.cases} == {
        "one": {"D1:1": 1},
        "two": {"D1:1": 1, "D2:1": 1},
        "three": {"D1:2": 1},
        "four": {"D1:2": 1},
        "five": {},
        "six": None,  # upstream counts recall 1 for such a question
        "seven": {"D1:1": 1},
    }
    dirt = data.dirt.set_index(["problem", "done"])["count"].to_dict()
    assert dirt == {
        ("evidence names no turn", "left out"): 2,
        ("a question has no evidence", "unlabelled: asked, not scored"): 1,
        ("a question names a turn twice", "counted once"): 1,
        ("a session has a date and no turns", "nothing to read"): 1,
        ("a session's date cannot be read", "left out"): 1,
        ("an evidence string is misspelt", "read as D1:2"): 1,
        ("one evidence string names several turns", "taken apart"): 1,
    }


def test_categories(locomo: Path) -> None:
    names = {case.query: case.category for case in load_locomo(locomo).cases}
    assert (names["two"], names["three"], names["four"], names["one"], names["five"]) == (
        "multi-hop", "temporal", "open-domain", "single-hop", "adversarial",
    )  # fmt: skip
    labelled = load_locomo(locomo, adversarial="labelled").cases.filter(category="adversarial")
    assert labelled[0].relevant == {"D1:1": 1}


def test_audited_labels(locomo: Path) -> None:
    data = load_locomo(locomo, labels="audited")
    relevant = {case.query: case.relevant for case in data.cases}
    assert (relevant["one"], relevant["two"]) == ({"D2:1": 1}, {"D1:1": 1, "D2:1": 1})
    assert relevant["seven"] is None  # nothing in the talk says so
    assert data.cases["conv-1/0"].notes == "8"
    dirt = data.dirt.set_index("problem")["count"].to_dict()
    assert (dirt["audited: wrong citation"], dirt["audited: hallucination"]) == (1, 1)
    assert "audited: ambiguous" not in dirt  # same number, another talk
    assert data.name == "locomo (audited labels)"


def test_what_is_not_locomo(tmp_path: Path, locomo: Path) -> None:
    with pytest.raises(InputError, match="labels='best'"):
        load_locomo(locomo, labels="best")  # type: ignore[arg-type]
    (locomo / "errors.json").unlink()
    with pytest.raises(InputError, match="get the audit's errors.json yourself"):
        load_locomo(locomo, labels="audited")
    put(locomo / "errors.json", [{"question_id": "other"}])
    with pytest.raises(FormatError, match="is not the audit of LoCoMo"):
        load_locomo(locomo, labels="audited")
    with pytest.raises(FormatError, match="is not LoCoMo's file"):
        load_locomo(put(tmp_path / "locomo10.json", [{"qa": []}]))


def test_the_real_set(shared: Path) -> None:
    data = load_dataset(shared / "locomo")
    assert (len(data), len(data.banks()), len(data.cases)) == (4124, 7, 1347)
    assert data.cases.counts().to_dict() == {
        "adversarial": 312, "multi-hop": 192, "open-domain": 66, "single-hop": 563, "temporal": 214,
    }  # fmt: skip
    assert data.cases.counts("kind").to_dict() == {"labelled": 1033, "null": 312, "unlabelled": 2}
    dirt = data.dirt.set_index("problem")["count"].to_dict()
    assert dirt["evidence names no turn"] == 3
    keys = {(item.bank, item.key) for item in data}
    assert all((case.bank, key) in keys for case in data.cases for key in case.wanted)


def test_the_real_audit(shared: Path) -> None:
    """110 of the 156 corrections are about the seven talks at hand; the first is well known."""
    original = load_dataset(shared / "locomo").cases
    data = load_dataset(shared / "locomo", labels="audited")
    dirt = data.dirt
    assert dirt.loc[dirt["problem"].str.startswith("audited"), "count"].sum() == 110
    assert original["conv-26/1"].relevant == {"D1:12": 1}
    assert data.cases["conv-26/1"].relevant == {"D1:14": 1}
    changed = [case.id for case in original if case.relevant != data.cases[case.id].relevant]
    assert len(changed) > 60
