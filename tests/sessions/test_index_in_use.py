"""The index where others write, where it cannot be, under another limit, or broken elsewhere."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memlab.errors import FormatError
from memlab.sessions import SessionIndex
from memlab.sessions.index import location
from memlab.sessions.index import sync as syncing
from memlab.sessions.index.fetching import fetch
from tests.sessions.test_index import found, put


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    put(tmp_path / "logs" / "a.jsonl", "kelp one", "bass two", mtime=1000)
    put(tmp_path / "logs" / "d" / "b.jsonl", "kelp three", mtime=2000)
    return tmp_path / "logs"


@pytest.mark.parametrize("what", ["pipe", "link to a pipe", "folder"])
def test_what_is_no_file_is_left_alone(logs: Path, tmp_path: Path, what: str) -> None:
    path = pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    if what == "link to a pipe":
        path = tmp_path / "link"
        path.symlink_to(pipe)
    elif what == "folder":
        path = tmp_path / "logs"
    for attempt in (SessionIndex.build, lambda source, where: SessionIndex.open(where, source)):
        with pytest.raises(FormatError, match="left alone|cannot be opened: Is a directory"):
            attempt(logs, path)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert path.is_symlink() == (what == "link to a pipe")


def test_a_place_that_cannot_be_written_is_said_to_be_one(logs: Path) -> None:
    with pytest.raises(FormatError, match=r"(made|opened): .*Not a directory"):
        SessionIndex.build(logs, logs / "a.jsonl" / "logs.index")
    with pytest.raises(FormatError, match=r"cannot be made: .*name too long"):
        SessionIndex.build(logs, logs / ("x" * 250))


def test_two_that_sync_at_once_do_the_work_once(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "logs.index"
    first = SessionIndex.build(logs, path)
    second = SessionIndex.open(path)
    put(logs / "c.jsonl", "kelp four", mtime=3000)
    (logs / "d" / "b.jsonl").unlink()
    begin = syncing.transaction

    def after_the_first(connection: sqlite3.Connection) -> Any:
        monkeypatch.setattr(syncing, "transaction", begin)
        assert first.sync().read == 1
        return begin(connection)

    monkeypatch.setattr(syncing, "transaction", after_the_first)
    assert not second.sync().changed
    for index in (first, second):
        assert found(index, "kelp") == ["kelp four", "kelp one"]


def test_a_search_sees_one_state_whatever_is_written_meanwhile(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "logs.index"
    index = SessionIndex.build(logs, path)
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:

        def after_a_write(*args: Any, **options: Any) -> Any:
            other.execute("BEGIN IMMEDIATE")
            other.execute("DELETE FROM docs")
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("COMMIT")
            return fetch(*args, **options)

        monkeypatch.setattr("memlab.sessions.index.index.fetch", after_a_write)
        assert found(index, "kelp") == ["kelp one", "kelp three"]
        monkeypatch.undo()
        other.execute("COMMIT")
        assert found(index, "kelp") == []


def test_an_index_in_use_is_neither_damaged_nor_made_anew(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "logs.index"
    SessionIndex.build(logs, path).close()
    before = path.stat()
    monkeypatch.setattr(location, "_BUSY_SECONDS", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(FormatError, match="is in use: another process"):
            SessionIndex.open(path, logs)
        other.execute("ROLLBACK")
        index = SessionIndex.open(path)
        put(logs / "c.jsonl", "kelp four", mtime=3000)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(FormatError, match="is in use: another process"):
            index.sync()
        assert found(index, "kelp") == ["kelp one", "kelp three"]
        other.execute("ROLLBACK")
    assert path.stat().st_ino == before.st_ino
    assert index.sync().read == 1
    assert found(index, "kelp") == ["kelp four", "kelp one", "kelp three"]


def test_the_limit_outlives_a_rebuild_and_another_one_makes_the_index_anew(
    logs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "logs.index"
    SessionIndex.build(logs, path, max_docs=2).close()
    with SessionIndex.open(path, logs) as index:
        assert (index.report.rebuilt, index.report.documents) == (None, 2)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with SessionIndex.open(path, logs) as index:
        assert "another version" in str(index.report.rebuilt)
        assert index.report.documents == 2
    for source in (logs, None):
        with SessionIndex.open(path, source, max_docs=float("inf")) as index:
            assert index.report.documents == 3
            why = "its limit was another one (2 messages)" if source else None
            assert index.report.rebuilt == why


@pytest.mark.parametrize(
    "changed",
    [
        {"postings": {"kelp": [8, 2**33, 2**70, -1, 8.5, None, "8"]}},
        {"postings": {"kelp": [8], "\ud83d": [8]}},
        {"files": {"/a.jsonl": {"size": 1e300, "mtimeMs": 1e300}}},
        {"nextId": 1e300},
        {"nextId": -5},
        {"docs": {"8": {"text": "kelp"}, "008": {"text": "kelp"}}},
        {"docs": {"8": {"text": "kelp"}, str(2**40): {"text": "kelp"}, str(2**70): {}}},
        {"docs": {"8": {"text": "kelp \ud83d", "path": "\ud83d", "ts": 1e300, "role": 5}}},
    ],
    ids=range(8),
)
def test_a_store_of_odd_numbers_is_read_or_refused(
    tmp_path: Path, changed: dict[str, object]
) -> None:
    store = {"version": 2, "nextId": 9, "files": {}, "docs": {"8": {"text": "kelp"}}}
    path = tmp_path / "index.json"
    path.write_text(json.dumps({**store, "postings": {"kelp": [8]}, **changed}))
    if "nextId" in changed:
        with pytest.raises(FormatError, match="is no index of @pify/recall"):
            SessionIndex.from_store(path)
        return
    index = SessionIndex.from_store(path)
    for ranking in ("pify", "bm25"):
        assert [hit.line_no for hit in index.search("kelp", ranking=ranking)] == [8]
