"""The index on disk: made whole, kept up to date, never over anything else."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from memlab.errors import FormatError, InputError
from memlab.sessions import SessionIndex, SessionLogs
from memlab.sessions.index import sync as syncing
from memlab.sessions.index.location import connect
from memlab.sessions.index.postings import MAX_SEGMENTS

SAMPLES = Path(__file__).parent / "samples"
WORDS = [
    "kelp",
    "bass",
    "cod",
    "ring",
    "buffer",
    "pump",
    "valve",
    "orchard",
    "数据库",
    "насос",
    "café",
    "snake_case",
    "🌊",
    "the",
    "of",
]


def message(text: str, role: str = "user", time: int = 0) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, "content": text, "timestamp": time}}


def put(path: Path, *texts: str, mtime: float = 1000.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(message(text)) + "\n" for text in texts))
    os.utime(path, (mtime, mtime))
    return path


def found(index: SessionIndex, query: str, **options: Any) -> list[str]:
    return sorted(hit.text for hit in index.search(query, **options))


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    put(tmp_path / "logs" / "a.jsonl", "kelp one", "bass two", mtime=1000)
    put(tmp_path / "logs" / "d" / "b.jsonl", "kelp three", mtime=2000)
    return tmp_path / "logs"


def test_build_open_sync_search(logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "x" / "logs.index"
    with SessionIndex.build(logs, path) as index:
        assert (index.report.read, index.report.documents, index.report.files) == (2, 3, 2)
        assert found(index, "kelp") == ["kelp one", "kelp three"]
    with SessionIndex.open(path) as index:
        assert index.report.rebuilt is None
        assert not index.sync().changed
        put(logs / "c.jsonl", "kelp four", mtime=3000)
        put(logs / "a.jsonl", "cod", mtime=1001)
        (logs / "d" / "b.jsonl").unlink()
        report = index.sync()
        assert (report.read, report.vanished, report.documents, report.files) == (2, 1, 2, 2)
        for ranking in ("pify", "bm25"):
            assert found(index, "kelp", ranking=ranking) == ["kelp four"]
            assert found(index, "bass", ranking=ranking) == []
    assert sorted(item.name for item in path.parent.iterdir()) == ["logs.index"]


def test_an_index_in_memory_leaves_nothing_behind(logs: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    index = SessionIndex.build(logs)
    assert repr(index) == "SessionIndex(':memory:': 3 messages of 2 sessions)"
    assert sorted(tmp_path.rglob("*")) == before


def test_size_and_time_decide_what_is_read_again(logs: Path) -> None:
    index = SessionIndex.build(logs)
    put(logs / "a.jsonl", "cod 1234", "bass two", mtime=1000)  # the same size, the same time
    assert not index.sync().changed
    os.utime(logs / "a.jsonl", (999, 999))  # older counts as changed, too
    assert index.sync().read == 1
    assert found(index, "cod") == ["cod 1234"]


def test_another_index_sees_what_one_wrote(logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "logs.index"
    first = SessionIndex.build(logs, path)
    second = SessionIndex.open(path)
    assert found(second, "kelp") == ["kelp one", "kelp three"]
    put(logs / "c.jsonl", "kelp four")
    first.sync()
    assert found(second, "kelp") == ["kelp four", "kelp one", "kelp three"]


def test_the_caps_are_the_extension_s_and_can_be_lifted(logs: Path) -> None:
    put(logs / "long.jsonl", "kelp " + "x" * 3000 + " end", mtime=5000)
    index = SessionIndex.build(logs, max_docs=2)
    assert index.report.documents == 2
    assert found(index, "end") == []
    whole = SessionIndex.build(logs, max_docs=float("inf"), max_doc_chars=float("inf"))
    assert whole.report.documents == 4
    assert len(found(whole, "end")) == 1
    small = SessionIndex.build(logs, max_bytes=100)
    assert [problem.line for problem in small.report.problems] == [0, 0]
    assert "over the limit of 100" in small.report.problems[0].why
    assert found(small, "kelp") == ["kelp three"]


def test_the_live_session_s_log_is_neither_read_nor_found(logs: Path) -> None:
    live = logs / "d" / "b.jsonl"
    index = SessionIndex.build(logs, live=live)
    assert found(index, "kelp") == ["kelp one"]
    index.sync()
    for ranking in ("pify", "bm25"):
        assert found(index, "kelp", ranking=ranking, live=str(live)) == ["kelp one"]
        assert len(index.search("kelp", ranking=ranking)) == 2
    link = logs.parent / "b.jsonl"
    link.symlink_to(live)
    assert SessionIndex.build(logs, live=link).report.documents == 2


@pytest.mark.parametrize("ruin", ["cut", "pages", "version", "garbage", "empty", "missing"])
def test_an_index_that_cannot_be_used_is_made_anew_and_that_is_said(
    logs: Path, tmp_path: Path, ruin: str
) -> None:
    path = tmp_path / "logs.index"
    SessionIndex.build(logs, path).close()
    whys = {
        "cut": "it is cut short",
        "pages": "damaged",
        "version": "another version (99; this one makes 1)",
        "garbage": "the file is no database",
        "empty": "there was none",
        "missing": "there was none",
    }
    data = path.read_bytes()
    if ruin == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif ruin == "pages":
        path.write_bytes(data[:4096] + bytes(len(data) - 4096))
    elif ruin == "version":
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
    elif ruin == "garbage":
        path.write_bytes(b"not a database at all " * 50)
    elif ruin == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
    with SessionIndex.open(path, logs) as index:
        assert whys[ruin] in (index.report.rebuilt or "")
        assert found(index, "kelp") == ["kelp one", "kelp three"]
    with SessionIndex.open(path) as index:
        assert index.report.rebuilt is None
    aside = path.with_name("logs.index.not-an-index-1")
    assert aside.exists() == (ruin == "garbage")  # what was not ours was moved, not lost


def test_an_old_index_knows_its_own_logs(logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "logs.index"
    SessionIndex.build(logs, path, max_docs=2).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with SessionIndex.open(path) as index:
        assert (index.report.documents, "version" in str(index.report.rebuilt)) == (2, True)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(FormatError, match=r"cannot be used: it is cut short.*open\(path, source\)"):
        SessionIndex.open(path)


def test_somebody_else_s_database_is_left_alone(logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "bank.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE memories(text)")
    connection.close()
    before = path.read_bytes()
    for attempt in (SessionIndex.build, lambda source, where: SessionIndex.open(where, source)):
        with pytest.raises(FormatError, match="is a database, but no index of session logs"):
            attempt(logs, path)
    assert path.read_bytes() == before


def test_a_build_that_fails_leaves_the_old_index(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "logs.index"
    SessionIndex.build(logs, path).close()

    def fail(*_: object) -> None:
        raise RuntimeError("pulled the plug")

    monkeypatch.setattr(syncing, "compact", fail)
    with pytest.raises(RuntimeError):
        SessionIndex.build(logs, path)
    assert sorted(item.name for item in tmp_path.iterdir()) == ["logs", "logs.index"]
    with SessionIndex.open(path) as index:
        assert len(found(index, "kelp")) == 2
        put(logs / "c.jsonl", "kelp four")
        with pytest.raises(RuntimeError):
            index.sync()
        assert len(found(index, "kelp")) == 2  # all or nothing
        monkeypatch.undo()
        index.sync()
        assert len(found(index, "kelp")) == 3


def test_damage_found_while_searching_says_what_to_do(logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "logs.index"
    SessionIndex.build(logs, path).close()
    index = SessionIndex.open(path)
    with connect(str(path)) as connection:
        connection.execute("DROP TABLE postings")
    connection.close()
    with pytest.raises(FormatError, match="cannot be used: no such table.*Build it anew"):
        index.search("kelp")


def test_a_file_that_cannot_be_read_is_a_problem_and_tried_again(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = syncing.read_docs

    def refuse(path: Path, agent: Any, size: float) -> Any:
        if path.name == "a.jsonl":
            raise PermissionError(13, "Permission denied")
        return real(path, agent, size)

    index = SessionIndex.build(logs, max_docs=0)
    index.clear()
    with index._asking() as connection:
        files = index.origin.files() if index.origin else []
        report = syncing.sync(connection, files, syncing.Caps(), read=refuse)
    assert [problem.why for problem in report.problems] == ["cannot be read: Permission denied"]
    assert (report.read, report.files) == (1, 1)
    assert index.sync().read == 1


def test_any_history_of_changes_ends_as_a_fresh_index(tmp_path: Path, seed: int) -> None:
    """Whatever was added, changed and taken away: both rankings find what a fresh index finds."""
    rnd = random.Random(seed)
    root = tmp_path / "logs"
    root.mkdir()
    index = SessionIndex.build(root, tmp_path / "logs.index", max_docs=float("inf"))
    clock = 1000
    for _ in range(MAX_SEGMENTS + 8):
        for _ in range(rnd.randint(1, 3)):
            path = root / f"{rnd.choice('abcdef')}.jsonl"
            clock += 1
            if path.exists() and rnd.random() < 0.3:
                path.unlink()
                continue
            texts = [
                " ".join(rnd.choices(WORDS, k=rnd.randint(1, 6))) for _ in range(rnd.randint(1, 4))
            ]
            put(path, *texts, mtime=clock)
        index.sync()
    fresh = SessionIndex.build(root, max_docs=float("inf"))
    assert index.report.documents == fresh.report.documents
    for word in [*WORDS, "数据", "нас", "uffe", "kelp bass", "zzz"]:
        for ranking in ("pify", "bm25"):
            one, other = (
                sorted(
                    (hit.id, hit.text, round(hit.score, 9))
                    for hit in each.search(word, 100, ranking=ranking)
                )
                for each in (index, fresh)
            )
            assert one == other, (seed, word, ranking)
    assert index.fingerprint == fresh.fingerprint


def test_the_fingerprint_tells_contents_apart(logs: Path) -> None:
    index = SessionIndex.build(logs)
    before = index.fingerprint
    put(logs / "a.jsonl", "kelp one", "bass two", mtime=4000)
    index.sync()
    assert index.fingerprint == before
    put(logs / "a.jsonl", "kelp one", "bass three", mtime=5000)
    index.sync()
    assert index.fingerprint != before


def test_the_extension_s_store_is_read_and_gone_on_from(logs: Path, tmp_path: Path) -> None:
    old = str(logs / "a.jsonl")
    store = {
        "version": 2,
        "nextId": 9,
        "files": {old: {"size": 1, "mtimeMs": 1.5, "ids": [8]}},
        "docs": {
            "8": {"session": "a", "path": old, "ts": 5, "role": "user", "text": "kelp stored"}
        },
        "postings": {"kelp": [8], "stored": [8]},
    }
    path = tmp_path / "index.json"
    path.write_text(json.dumps(store))
    index = SessionIndex.from_store(path)
    assert (index.report.documents, index.report.files) == (1, 1)
    assert [(hit.text, hit.time) for hit in index.search("kelp")] == [("kelp stored", 5.0)]
    assert [hit.text for hit in index.search("stored", ranking="bm25")] == ["kelp stored"]
    with pytest.raises(InputError, match="has no logs"):
        index.sync()
    index = SessionIndex.from_store(path, SessionLogs(logs))
    index.sync()
    assert found(index, "kelp") == ["kelp one", "kelp three"]
    path.write_text("{}")
    with pytest.raises(FormatError, match="is no index of @pify/recall"):
        SessionIndex.from_store(path)
    with pytest.raises(FormatError, match="cannot be read"):
        SessionIndex.from_store(tmp_path / "none.json")


def test_sub_agents_can_be_left_out_of_an_index(tmp_path: Path) -> None:
    put(tmp_path / "s.jsonl", "kelp main")
    put(tmp_path / "s" / "subagents" / "agent-1.jsonl", "kelp aside")
    assert found(SessionIndex.build(tmp_path), "kelp") == ["kelp aside", "kelp main"]
    alone = SessionIndex.build(SessionLogs(tmp_path, sub_agents=False))
    assert found(alone, "kelp") == ["kelp main"]


def test_progress_is_shown_where_it_is_asked_for(
    logs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    SessionIndex.build(logs)
    assert capfd.readouterr().err == ""
    SessionIndex.build(logs, progress=True)
    assert "indexing" in capfd.readouterr().err


def test_large_logs_are_indexed_by_two_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "THREAD_FROM_BYTES", 1)
    monkeypatch.setattr("memlab.sessions.index.writer.BATCH_DOCS", 50)
    monkeypatch.setattr("memlab.sessions.index.writer.BATCH_POSTINGS", 100)
    for number in range(30):
        put(tmp_path / "logs" / f"{number}.jsonl", *[f"kelp {number} {n}" for n in range(20)])
    threaded = SessionIndex.build(tmp_path / "logs", tmp_path / "a.index")
    monkeypatch.setattr(syncing, "THREAD_FROM_BYTES", 10**12)
    plain = SessionIndex.build(tmp_path / "logs", tmp_path / "b.index")
    assert threaded.fingerprint == plain.fingerprint
    for ranking in ("pify", "bm25"):
        assert len(threaded.search("kelp", 1000, ranking=ranking)) == 600
        assert len(threaded.search("17", 1000, ranking=ranking, fields="text")) == 20 + 29

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk full")

    monkeypatch.setattr(syncing, "THREAD_FROM_BYTES", 1)
    monkeypatch.setattr("memlab.sessions.index.writer.Writer._index", fail)
    with pytest.raises(FormatError, match=r"c\.index cannot be made: disk full"):
        SessionIndex.build(tmp_path / "logs", tmp_path / "c.index")
    assert not (tmp_path / "c.index").exists()
    shutil.rmtree(tmp_path / "logs")
