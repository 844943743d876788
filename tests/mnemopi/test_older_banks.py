"""Banks of an older schema: missing columns, tables and full-text tables are read as empty."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memlab import Mnemopi
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"
QUERY = "deploy heron"

# What a file lacks, and the best hits that the engine itself gave for it (measured).
LACKS: list[tuple[list[str], list[str]]] = [
    ([], ["h0019", "fact_1bd23eb335446012_0", "fact_4d42fbacf5160e6e_0", "h0005"]),
    (
        ["DROP TRIGGER wm_ai", "DROP TABLE fts_working"],
        ["h0019", "fact_1bd23eb335446012_0", "fact_4d42fbacf5160e6e_0", "h0005"],
    ),
    (
        ["DROP TABLE fts_facts"],
        ["h0019", "fact_1bd23eb335446012_0", "b2e3ea1bc5ac3cd6", "e62173dc88405be3"],
    ),
    (["DROP TABLE facts"], ["h0019", "h0005", "h0017", "h001f"]),
    (
        ["DROP INDEX idx_wm_author", "ALTER TABLE working_memory DROP COLUMN author_id"],
        ["h0019", "fact_1bd23eb335446012_0", "fact_4d42fbacf5160e6e_0", "h0005"],
    ),
]


@pytest.mark.parametrize(("lacking", "best"), LACKS)
def test_recall_is_the_engines(tmp_path: Path, lacking: list[str], best: list[str]) -> None:
    path = tmp_path / "old.db"
    shutil.copyfile(GOLDEN / "heron.db", path)
    with closing(sqlite3.connect(path)) as db:
        for statement in lacking:
            db.execute(statement)
        db.commit()
    bank = Mnemopi(path, bank="heron")
    assert list(bank.recall(QUERY, now=NOW).ids[:4]) == best
    assert bool(bank.info(now=NOW).missing) == bool(lacking)


def test_a_bank_of_the_first_days(tmp_path: Path) -> None:
    path = tmp_path / "first.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE working_memory (id TEXT PRIMARY KEY, content TEXT NOT NULL)")
        db.execute("INSERT INTO working_memory VALUES ('a', 'the pump runs at night')")
        db.commit()
    bank = Mnemopi(path)
    assert bank.bank == "default"
    assert bank.recall("pump").ids == ("a",)
    row = bank.memories().frame().iloc[0]
    assert (row["state"], row["scope"], row["veracity"]) == ("live", "global", "unknown")
    assert {"episodic_memory", "working_memory.source"} <= set(bank.info().missing)
