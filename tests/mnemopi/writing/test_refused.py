"""What cannot be written is refused in words that say so, and nothing is left behind."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from memlab import Mnemopi, build_bank
from memlab.errors import BankNotFound, BankReadOnly, BankUnreadable, InputError
from memlab.mnemopi.writing.opening import write_errors
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"


@pytest.fixture
def bank(tmp_path: Path) -> Mnemopi:
    items = [{"text": "The ferry leaves at noon.", "id": "m"}]
    return build_bank(items, tmp_path / "lab" / "bank.db", now=NOW)


def rows(bank: Mnemopi) -> list[Any]:
    return [memory.raw for memory in bank.refresh().memories(now=NOW)]


ITEMS: list[tuple[Any, str]] = [
    ({"metadata": {"a": {1, 2}}}, "Item 0: metadata=.*no JSON"),
    ({"metadata": {"a": float("nan")}}, "Item 0: metadata=.*no JSON"),
    ({"importance": float("nan")}, "Item 0: importance=nan"),
    ({"importance": float("inf")}, "Item 0: importance=inf"),
    ({"vector": [1.0, float("nan")]}, r"Item 0: vector\.1=nan"),
    ({"id": "m"}, "has the id 'm' in working_memory already"),
]


@pytest.mark.parametrize(("fields", "words"), ITEMS, ids=[words[:22] for _, words in ITEMS])
def test_items(bank: Mnemopi, tmp_path: Path, fields: dict[str, Any], words: str) -> None:
    before = rows(bank)
    with pytest.raises(InputError, match=words):
        bank.retain([{"text": "a", **fields}], now=NOW)
    with pytest.raises(InputError):
        bank.retain(["fine", {"text": "a", **fields}], now=NOW)
    assert rows(bank) == before
    if "id" not in fields:
        with pytest.raises(InputError, match=words):
            build_bank([{"text": "a", **fields}], tmp_path / "other.db")
        assert not (tmp_path / "other.db").exists()


LISTS: list[tuple[Any, str]] = [
    (pd.DataFrame({"text": ["a"], "importance": [0.1]}), r"frame\.to_dict\('records'\)"),
    (None, "Give a list of memories, not NoneType"),
    (7, "Give a list of memories, not int"),
    (b"a text", "not a single one"),
]


@pytest.mark.parametrize(("items", "words"), LISTS, ids=["frame", "None", "number", "bytes"])
def test_what_is_no_list_of_memories(bank: Mnemopi, tmp_path: Path, items: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        bank.retain(items)
    with pytest.raises(InputError, match=words):
        build_bank(items, tmp_path / "other.db")
    with pytest.raises(InputError, match=words.replace("memories", "facts")):
        build_bank(["a"], tmp_path / "other.db", facts=items)
    assert not (tmp_path / "other.db").exists()


def test_a_frame_as_records_is_one_bank(tmp_path: Path) -> None:
    frame = Mnemopi(GOLDEN / "heron.db").memories(now=NOW).frame()
    records = frame[["text", "time", "importance"]].to_dict("records")
    made = build_bank(records, tmp_path / "other.db").memories(now=NOW).frame()
    assert made["text"].tolist() == frame["text"].tolist()
    assert made["time"].tolist() == frame["time"].tolist()


def test_facts(tmp_path: Path) -> None:
    fact = {"subject": "a", "predicate": "is", "object": "b", "id": "f"}
    with pytest.raises(InputError, match="has the id 'f' in facts already"):
        build_bank(["a"], tmp_path / "other.db", facts=[fact, fact])
    with pytest.raises(InputError, match="Fact 0 is a str"):
        build_bank(["a"], tmp_path / "other.db", facts=["a is b"])  # type: ignore[list-item]
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize(
    "edit",
    [
        lambda bank: bank.update("m", 5),
        lambda bank: bank.update("m", importance="high"),
        lambda bank: bank.update("m", importance=float("nan")),
        lambda bank: bank.update(["m"], "a"),
        lambda bank: bank.forget(None),
        lambda bank: bank.invalidate("m", now="soon"),
        lambda bank: bank.invalidate("m", now=pd.NaT),
        lambda bank: bank.invalidate("m", now=5),
    ],
)
def test_edits(bank: Mnemopi, edit: Callable[[Mnemopi], Any]) -> None:
    before = rows(bank)
    with pytest.raises(InputError):
        edit(bank)
    assert rows(bank) == before


def test_numbers_of_numpy_are_numbers(bank: Mnemopi) -> None:
    bank.update("m", importance=np.float32(0.25))
    assert bank.get("m").importance == 0.25
    key = bank.retain([{"text": "a", "vector": np.array([0.5, 1.0])}], now=NOW).ids[0]
    assert bank.vectors(now=NOW).ids == (key,)


def test_a_lone_surrogate_in_an_id_is_written_as_elsewhere(bank: Mnemopi) -> None:
    assert bank.retain([{"text": "cut", "id": "cut \ud83d"}], now=NOW).ids == ("cut \ufffd",)
    assert bank.get("cut \ufffd").text == "cut"


def test_a_clock_is_written_as_the_engine_writes_it(tmp_path: Path) -> None:
    """Validity is compared as text: an instant in another form would last too long."""
    bank = build_bank([{"text": "ferry", "id": "m"}], tmp_path / "b.db", now="2026-03-01")
    assert bank.get("m").raw["timestamp"] == "2026-03-01T00:00:00.000Z"
    bank.invalidate("m", now="2026-03-01T12:00:00+02:00")
    assert bank.get("m").raw["valid_until"] == "2026-03-01T10:00:00.000Z"
    assert bank.recall("ferry", now="2026-03-01T10:30:00.000Z").ids == ()


class TestAFileThatIsGone:
    """SQLite would make an empty bank in its place, and the write would look done."""

    @pytest.mark.parametrize(
        "write",
        [
            lambda bank: bank.retain(["a"]),
            lambda bank: bank.update("m", "a"),
            lambda bank: bank.recall("ferry", now=NOW, count=True),
        ],
    )
    def test_it_is_said_and_none_is_made(
        self, bank: Mnemopi, write: Callable[[Mnemopi], Any]
    ) -> None:
        bank.path.unlink()
        with pytest.raises(BankNotFound, match=r"no longer there.*\.copy\(path\)"):
            write(bank)
        assert list(bank.path.parent.iterdir()) == []
        assert bank.copy(bank.path).get("m").text == "The ferry leaves at noon."


class TestWhatTheSystemRefuses:
    """A write that fails is not called a bank that cannot be read."""

    def test_no_file_can_be_made(self, bank: Mnemopi) -> None:
        with pytest.raises(BankUnreadable, match="cannot be made"):
            bank.copy(bank.path / "below" / "a.db")
        with pytest.raises(BankUnreadable, match="cannot be made"):
            build_bank(["a"], bank.path / "a.db")

    def test_a_protected_file(self, bank: Mnemopi) -> None:
        with (
            pytest.raises(BankReadOnly, match="cannot be written"),
            write_errors(bank.path),
            closing(sqlite3.connect(f"{bank.path.as_uri()}?mode=ro", uri=True)) as db,
        ):
            db.execute("DELETE FROM working_memory")

    def test_a_full_disk(self, bank: Mnemopi) -> None:
        with closing(sqlite3.connect(bank.path)) as db:
            (pages,) = db.execute("PRAGMA page_count").fetchone()
            db.execute(f"PRAGMA max_page_count = {pages}")
            with (
                pytest.raises(BankUnreadable, match=r"cannot be written: .*full"),
                write_errors(bank.path),
            ):
                db.execute("CREATE TABLE more AS SELECT randomblob(100000) AS noise")

    def test_a_broken_rule_of_the_tables(self, bank: Mnemopi) -> None:
        with (
            pytest.raises(InputError, match="UNIQUE"),
            write_errors(bank.path),
            closing(sqlite3.connect(bank.path)) as db,
        ):
            db.execute("INSERT INTO working_memory (id, content) VALUES ('m', 'again')")


def test_metadata_that_is_written_is_json(bank: Mnemopi) -> None:
    """One row that is none would hide the whole bank from the agent's search for legacy banks."""
    bank.retain([{"text": "a", "metadata": {"n": 1, "deep": [None, "ü", {"x": 1e300}]}}], now=NOW)
    found = bank.snapshot.rows("SELECT metadata_json AS m FROM working_memory WHERE content = 'a'")
    assert json.loads(found[0]["m"]) == {"n": 1, "deep": [None, "ü", {"x": 1e300}]}
    assert bank.snapshot.rows("SELECT json_valid(metadata_json) AS ok FROM working_memory"
                              " WHERE metadata_json IS NOT NULL") == [{"ok": 1}]  # fmt: skip
