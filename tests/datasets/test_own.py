"""One's own sets, BEIR's, the one door, and what every set can do."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlab import Bm25, Case, Cases, R, evaluate
from memlab.datasets import (
    Dataset,
    Item,
    build_banks,
    load_beam,
    load_dataset,
    load_locomo,
    on_each,
)
from memlab.errors import FormatError, InputError


@pytest.fixture
def small() -> Dataset:
    when = datetime(2026, 5, 1, 12, tzinfo=UTC)
    items = (
        Item("t1", "The valve opens at noon.", "a", when, "user", "s1", {"turn": 1}),
        Item("t2", "The wind gauge failed.", "a", when, session="s2"),
        Item("t1", "Другая комната.", "b"),
    )
    cases = Cases(
        [
            Case("1", "valve", {"t1": 2}, "x", bank="a"),
            Case("2", "gauge", {"t1": 1, "t2": 3}, "x", bank="a"),
            Case("3", "комната", {"t1": 1}, "y", bank="b"),
            Case("4", "open", None, bank="b"),
        ]
    )
    return Dataset("small", items, cases)


def test_saved_and_loaded(small: Dataset, tmp_path: Path) -> None:
    folder = small.save(tmp_path / "small")
    assert load_dataset(folder) == small


def test_frame(small: Dataset) -> None:
    frame = small.frame().set_index("bank")
    assert frame.loc["a"].tolist() == [2, 2, 46, 2, 2, 0, 0]
    assert frame.loc["b", ["labelled", "unlabelled"]].tolist() == [1, 1]


def test_some_of_its_banks(small: Dataset) -> None:
    assert small.select(1).cases.ids == ("1", "2")
    assert len(small.select(["b"])) == 1
    with pytest.raises(InputError, match="no bank 'c'. There are: a, b"):
        small.select(["c"])


def test_a_key_names_one_item() -> None:
    with pytest.raises(
        InputError, match="1 keys occur more than once in their bank, such as 'k' in"
    ):
        Dataset("x", (Item("k", "a"), Item("k", "b")), Cases([]))


def test_whole_sessions(small: Dataset, tmp_path: Path) -> None:
    data = small.select(["a"]).by_session()
    assert data.cases["2"].relevant == {"s1": 1, "s2": 3}
    for systems in (on_each(data, Bm25), build_banks(data, tmp_path)):
        run = evaluate(systems, data.cases, [R @ 5])
        assert run.frame()["found"].tolist() == [1, 1]
        assert run.answers["1"].keys == ("s1",)


KILLED = """
import os, sys
from memlab.mnemopi.writing import building
from memlab.datasets import load_dataset, build_banks
add = building.add_memory
def dying(connection, item, *rest, **more):
    if item.id == "t2":
        os._exit(9)
    return add(connection, item, *rest, **more)
building.add_memory = dying
build_banks(load_dataset(sys.argv[1]), sys.argv[2])
"""


def test_a_bank_whose_writing_was_killed_is_written_anew(small: Dataset, tmp_path: Path) -> None:
    small.save(tmp_path / "set")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "set"), str(tmp_path / "banks")], check=False
    )
    assert done.returncode == 9
    half = next((tmp_path / "banks").rglob("mnemopi.db"))
    half.with_name("mnemopi.db-journal").write_bytes(b"left behind")
    banks = build_banks(small, tmp_path / "banks")
    assert {name: len(bank.memories()) for name, bank in banks.items()} == {"a": 2, "b": 1}


def test_banks_are_built_once(small: Dataset, tmp_path: Path) -> None:
    banks = build_banks(small, tmp_path)
    assert {name: len(bank.memories()) for name, bank in banks.items()} == {"a": 2, "b": 1}
    row = banks["a"].get("t1")
    assert (row.metadata, row.time) == (
        {"turn": 1, "role": "user", "source_key": "t1"}, datetime(2026, 5, 1, 12, tzinfo=UTC),
    )  # fmt: skip
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("mnemopi.db")}
    build_banks(small, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("mnemopi.db")} == before
    other = Dataset("other", (Item("t1", "Something else.", "a"),), Cases([]))
    with pytest.raises(InputError, match="was written from other items"):
        build_banks(other, tmp_path)


def test_a_hostile_name_stays_in_the_folder(tmp_path: Path) -> None:
    data = Dataset("x", (Item("k", "a", "../../up"), Item("k", "a", "a/b")), Cases([]))
    build_banks(data, tmp_path / "inside")
    assert [path.name for path in tmp_path.iterdir()] == ["inside"]
    assert len(list((tmp_path / "inside").iterdir())) == 2


def test_labels_without_an_item_are_counted(small: Dataset, tmp_path: Path) -> None:
    folder = small.save(tmp_path / "small")
    case = {"id": "9", "query": "q", "relevant": {"gone": 1}, "bank": "a"}
    with (folder / "cases.jsonl").open("a") as file:
        file.write(json.dumps(case) + "\n")
    dirt = load_dataset(folder).dirt
    assert dirt["problem"].tolist() == ["a label names no item"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"key": "a"}', "line 1: "),
        ('{"key": "a", "text": "t", "colour": 1}', "an item has the fields key, text"),
        ('{"key": "a", "text": "t", "time": "noon"}', "line 1: Invalid isoformat"),
        ("{", "line 1: not JSON"),
    ],
)
def test_items_that_are_none(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "items.jsonl").write_text(line + "\n")
    with pytest.raises(FormatError, match=said):
        load_dataset(tmp_path)


def test_beir(tmp_path: Path) -> None:
    folder = tmp_path / "fiqa"
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": "d1", "title": "Bees", "text": "They hum."}, {"_id": "d2", "text": "Rain."}]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    queries = [{"_id": "q1", "text": "hum"}, {"_id": "q2", "text": "never judged"}]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in queries))
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\tgone\t1\nq9\td1\t1\n"
    )
    data = load_dataset(folder)
    assert data.items[0].text == "Bees. They hum."
    assert data.cases["q1"].relevant == {"d1": 2, "gone": 1}
    assert data.dirt.set_index("problem")["count"].to_dict() == {
        "a label names no document": 1,
        "a query has no qrels in this split": 1,
        "qrels name no query": 1,
    }
    with pytest.raises(InputError, match=r"dev\.tsv cannot be read"):
        load_dataset(folder, split="dev")


def test_written_as_beir(small: Dataset, tmp_path: Path) -> None:
    one = small.select(["a"])
    back = load_dataset(one.to_beir(tmp_path / "a"))
    assert [(item.key, item.text) for item in back] == [(item.key, item.text) for item in one]
    assert back.cases.qrels() == one.cases.qrels()
    with pytest.raises(InputError, match="BEIR has one corpus, and this set has 2 banks"):
        small.to_beir(tmp_path / "x")
    with pytest.raises(InputError, match="2 cases, such as '1', hold .* keys that are no ids"):
        one.by_session().to_beir(tmp_path / "x")


def test_the_door(tmp_path: Path, beam: Path, locomo: Path) -> None:
    assert load_dataset(beam) == load_beam(beam)
    assert load_dataset(locomo / "locomo10.json") == load_locomo(locomo)
    with pytest.raises(FormatError, match="does not look like any set that memlab knows"):
        load_dataset(tmp_path)
    with pytest.raises(InputError, match="no kind 'trec' of set. Kinds: beam, locomo"):
        load_dataset(tmp_path, "trec")
    with pytest.raises(InputError, match="Sets of kind 'beam': .*unexpected keyword argument"):
        load_dataset(beam, labels="audited")
