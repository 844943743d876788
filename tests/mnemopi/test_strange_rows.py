"""Rows with values that nothing of an agent writes: the answers are the engine's."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, build_bank, polyphonic_recall
from memlab.mnemopi.engine.wire import decode
from memlab.text.javascript import number
from tests.parity.engine import engine

NOW = "2026-03-01T12:00:00.000Z"
FACT = (
    "INSERT INTO facts (fact_id, session_id, subject, predicate, object, timestamp, confidence)"
    " VALUES ('f1', 'default', "
)


def _bank(path: Path, *changes: str) -> Path:
    items = [{"text": f"ferry {i}", "time": "2026-02-28T12:00:00.000Z"} for i in range(3)]
    build_bank(items, path, now=NOW).close()
    with closing(sqlite3.connect(path)) as db, db:
        for change in changes:
            db.execute(change)
    return path


def _set(column: str, value: str) -> str:
    return f"UPDATE working_memory SET {column} = {value} WHERE content = 'ferry 1'"


CASES: dict[str, tuple[str, str, dict[str, Any], list[float]]] = {
    "an importance of one byte": (_set("importance", "x'05'"), "ferry 1", {}, [1.1419]),
    "of no bytes": (_set("importance", "x''"), "ferry 1", {}, [0.4099]),
    "of two bytes": (_set("importance", "x'0102'"), "ferry 1", {}, [0.4831]),
    "a whole number beyond floats": (
        _set("importance", f"'0x{'f' * 300}'"), "ferry 1", {}, [0.4831],
    ),
    "a score without end": (_set("importance", "1e308"), "ferry 1", {}, [math.inf]),
    "a score far below": (_set("importance", "-1e308"), "ferry 1", {"mode": "plain"}, [-math.inf]),
    "an author that is empty": (_set("author_id", "''"), "ferry 1", {"author_id": ""}, [0.4831]),
    "a small confidence": (FACT + "'quay', 'is', 'wet', '', 1e-9)", "quay", {}, [0.56]),
    "a subject of bytes": (FACT + "x'71756179', 'is', '', '', 0.5)", "quay", {}, []),
    "a number for a time": (FACT + "'quay', 'is', 'wet', x'05', 0.5)", "quay", {}, [0.63]),
}  # fmt: skip


@pytest.mark.engine
@pytest.mark.parametrize("name", CASES)
def test_the_answer_is_the_engines(name: str, tmp_path: Path) -> None:
    change, query, options, scores = CASES[name]
    path = _bank(tmp_path / "b.db", change)
    ours = Mnemopi(path).recall(query, now=NOW, **options)
    with closing(Mnemopi(path, engine=engine())) as real:
        theirs = real.recall(query, now=NOW, **options)
    assert ours.records == theirs.records
    found = [hit.score for hit in ours if hit.text in ("ferry 1", "wet")]
    assert found == scores


@pytest.mark.engine
def test_facts_of_bytes_are_scanned_as_by_the_engine(tmp_path: Path) -> None:
    """Some builds of SQLite find no bytes by LIKE; the engine's does."""
    many = [
        f"{FACT.replace('f1', f'f{i}')} {subject}, 'is', 'wet', '', 0.5)"
        for i, subject in enumerate(["x'6f6c64717561796f'"] * 2 + ["'oldquayo'"] * 2)
    ]
    path = _bank(tmp_path / "b.db", *many)
    asked: dict[str, Any] = {"mode": "facts", "limit": 3, "now": NOW}
    ours = Mnemopi(path).recall("quay", **asked)
    with closing(Mnemopi(path, engine=engine())) as real:
        assert ours.records == real.recall("quay", **asked).records
    assert ours.ids == ("f2",)  # the scan stops at three, and two of them are no text to judge


@pytest.mark.engine
def test_bytes_in_a_row_come_back_as_bytes(tmp_path: Path) -> None:
    path = _bank(tmp_path / "b.db", _set("memory_type", "x'05ff'"))
    with closing(Mnemopi(path, engine=engine())) as real:
        theirs = real.recall("ferry 1", now=NOW)
    assert theirs.records == Mnemopi(path).recall("ferry 1", now=NOW).records
    assert theirs.records[0]["memory_type"] == b"\x05\xff"


def test_counts_beyond_any_column_make_a_frame(tmp_path: Path) -> None:
    path = _bank(tmp_path / "b.db", _set("recall_count", "1e300"))
    assert max(Mnemopi(path).memories().frame()["recalls"]) == 2**63 - 1


def test_polyphonic_recall_meets_words_for_numbers(tmp_path: Path) -> None:
    path = _bank(
        tmp_path / "b.db",
        FACT + "'Quay', 'is', x'05', '', 'sure')",
        _set("importance", "x'05'"),
        _set("metadata_json", "'{\"a\": NaN}'"),
    )
    bank = Mnemopi(path)
    recall = polyphonic_recall(bank, "recent Quay", now=NOW)
    assert [hit.text for hit in recall] == ["ferry 1"]
    assert recall.records[0]["metadata"] == {"polyphonic": {"age_days": 1.0, "importance": b"\x05"}}
    assert len(polyphonic_recall(bank, "recent Quay", now="-000001-01-01T00:00:00.000Z")) == 1


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (b"", 0), (b"\x00", 0), (b"\xff", 255), (b"5", 53), (b"\x01\x02", -1), ([], 0), ([[7]], 7),
        ([" 0x10 "], 16), ([None], 0), ([True], -1), ([1, 2], -1), ("0x" + "f" * 300, -1), ({}, -1),
    ],
)  # fmt: skip
def test_numbers_of_other_types(value: object, read: float) -> None:
    """JavaScript writes bytes and lists out, joined by commas, and reads that."""
    assert number(value, -1) == read


def test_what_json_has_no_word_for() -> None:
    line = b'{"a": {"$number": "-Infinity"}, "b": {"$bytes": "05ff"}, "c": {"$number": "x"}}'
    assert decode(line) == {"a": -math.inf, "b": b"\x05\xff", "c": {"$number": "x"}}
    assert decode(b"[9007199254740991, 11428571428571429000]") == [2**53 - 1, 1.1428571428571429e19]
