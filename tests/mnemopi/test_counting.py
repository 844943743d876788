"""What count=True writes is what the engine writes after a recall, and nothing else."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi
from tests.golden_data import GOLDEN, lines, options_of

COUNTED = [line for line in lines("recall.jsonl") if line.get("after")][::9]


def _counters(path: Path) -> dict[str, list[Any]]:
    found = {}
    with closing(sqlite3.connect(path)) as db:
        for tier, table in (("working", "working_memory"), ("episodic", "episodic_memory")):
            rows = db.execute(
                f"SELECT id, recall_count, last_recalled FROM {table} WHERE recall_count > 0"
            )
            found |= {f"{tier}:{key}": [count, last] for key, count, last in rows}
    return found


def _rest(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        return [
            db.execute(
                "SELECT id, content, importance, valid_until FROM working_memory"
            ).fetchall(),
            db.execute("SELECT id, content, tier FROM episodic_memory").fetchall(),
            db.execute("SELECT * FROM facts").fetchall(),
            db.execute("SELECT * FROM fts_episodes").fetchall(),
        ]


@pytest.mark.parametrize("line", COUNTED, ids=lambda line: line["id"])
def test_counters(tmp_path: Path, line: dict[str, Any]) -> None:
    path = tmp_path / "copy.db"
    shutil.copyfile(GOLDEN / line["db"], path)
    before = _rest(path)
    given = options_of(line["request"]).model_dump(exclude_unset=True)
    with Mnemopi(path, bank=line["request"]["bank"], writable=True) as bank:
        recall = bank.recall(line["request"]["args"]["query"], count=True, **given)
        assert [dict(hit.raw) for hit in recall] == line["result"]
        assert _counters(path) == line["after"]
        counted = {memory.id for memory in bank.memories() if memory.recalls}
    assert counted == {key.partition(":")[2] for key in line["after"]}
    assert _rest(path) == before


def test_a_recall_is_not_counted_unasked(tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    shutil.copyfile(GOLDEN / "heron.db", path)
    with Mnemopi(path, writable=True) as bank:
        assert bank.recall("deploy")
    assert _counters(path) == {}
