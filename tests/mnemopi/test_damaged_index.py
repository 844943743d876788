"""A full-text index that cannot be searched: recall goes on without it, as in the engine, and says so."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memlab import Mnemopi
from memlab.mnemopi.engine import Engine
from tests.golden_data import GOLDEN
from tests.parity.engine import engine

NOW = "2026-03-01T12:00:00Z"
QUERIES = ("deploy server", "which database did we choose?", "RabbitMQ", "staging backup?!")
DAMAGES = {
    "working": "UPDATE fts_working_data SET block = x'deadbeef00ff' WHERE id > 10",
    "episodic": "DELETE FROM fts_episodes_data",
    "facts": "UPDATE fts_facts_data SET block = x'deadbeef00ff' WHERE id > 10",
}
ABOUT = {"working": "working memories", "episodic": "episodic memories", "facts": "facts"}


def _damaged(folder: Path, part: str) -> Path:
    path = folder / f"{part}.db"
    shutil.copyfile(GOLDEN / "heron.db", path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(DAMAGES[part])
    return path


@pytest.fixture(scope="module")
def real() -> Engine:
    return engine()


@pytest.mark.engine
@pytest.mark.parametrize("part", DAMAGES)
def test_recall_is_what_the_engine_recalls(part: str, real: Engine, tmp_path: Path) -> None:
    path = _damaged(tmp_path, part)
    with Mnemopi(path) as ours, Mnemopi(path, engine=real) as theirs:
        found = [ours.recall(query, now=NOW) for query in QUERIES]
        wanted = [theirs.recall(query, now=NOW) for query in QUERIES]
    assert all(one.notes for one in found)
    assert [one.records for one in found] == [one.records for one in wanted]


@pytest.mark.parametrize("part", DAMAGES)
def test_the_recall_says_what_it_went_without(part: str, tmp_path: Path) -> None:
    with Mnemopi(_damaged(tmp_path, part)) as bank:
        notes = bank.recall(QUERIES[0], now=NOW).notes
    assert [note.partition(" cannot")[0] for note in notes] == [
        f"the full-text index of {ABOUT[part]}"
    ]


def test_a_text_that_full_text_refuses_is_no_damage() -> None:
    with Mnemopi(GOLDEN / "heron.db") as bank:
        assert bank.recall("\0", now=NOW).notes == ()
        assert bank.recall("deploy", now=NOW, limit=2.5).notes == ()


def test_who_looks_at_the_recall_reads_it(tmp_path: Path) -> None:
    with Mnemopi(_damaged(tmp_path, "working")) as bank:
        found = bank.recall(QUERIES[0], now=NOW)
    said = "the full-text index of working memories cannot be searched"
    assert repr(found).splitlines()[-1].startswith(said)
    assert f"<p>{said}" in found._repr_html_()
