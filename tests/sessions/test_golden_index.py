"""Listing, reading, indexing and searching: the extension's golden answers, each equal."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memlab.sessions.finding import Found, find_logs
from memlab.sessions.index.extract import Doc, LogDocs, read_docs, session_name
from memlab.sessions.pify.units import head
from tests.sessions.extension import Asked
from tests.sessions.golden import LOGS, SET_ASIDE, Answer, answers, kinds, of, set_times

UNCUT = 10**9


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs with their times, in a folder of this name."""
    root = tmp_path_factory.mktemp("golden") / "logs"
    shutil.copytree(LOGS, root)
    set_times(root)
    return root


def listed(root: Path, folder: str) -> list[Found]:
    return list(find_logs(root if folder == "." else root / folder))


def test_all_kinds_of_answers_are_asked_and_sixteen_are_set_aside() -> None:
    assert sum(kinds().values()) == 1351
    assert len(answers("random.jsonl")) == 200
    marked = {
        answer.id
        for answer in answers()
        if answer.note.startswith(("letters of Unicode 15", "not ISO 8601"))
    }
    assert marked == SET_ASIDE
    assert len(marked) == 16


@pytest.mark.parametrize("answer", of("list"), ids=str)
def test_the_same_files_are_found(answer: Answer, logs: Path) -> None:
    root = logs / "pi" if answer.args["folder"] == "pi" else logs
    found = listed(root, "." if root != logs else answer.args["folder"])
    found = [one for one in found if "/random/" not in one.path]
    rows = [
        {
            "path": f"logs/{Path(one.path).relative_to(logs).as_posix()}",
            "size": one.size,
            "mtimeMs": one.mtime_ns / 1e6,
        }
        for one in found
    ]
    assert sorted(rows, key=lambda row: row["path"]) == answer.result


@pytest.mark.parametrize("answer", of("docs", "claudeDocs"), ids=str)
def test_the_same_documents_are_read(answer: Answer, logs: Path, tmp_path: Path) -> None:
    agent = "claude" if answer.op == "claudeDocs" else "pi"
    name = answer.args.get("log") or answer.args["path"]
    path = logs / name
    shown = f"logs/{name}"
    if "raw" in answer.args:
        path, shown = tmp_path / name.replace("\\", "/"), name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(answer.args["raw"].encode("utf-8", "surrogatepass"))
    try:
        log = read_docs(path, agent, UNCUT)
    except OSError:
        assert answer.result == []
        return
    rows = [
        {
            "session": log.session,
            "path": shown,
            "ts": doc.time,
            "role": doc.role,
            "text": doc.said,
            **({} if log.title is None else {"title": log.title}),
        }
        for doc in log.docs
        if doc.said is not None
    ]
    assert rows == answer.result


def given(answer: Answer, folder: Path) -> tuple[Asked, Any]:
    """An index of documents that are given, and its sync; logs in the order given."""
    files = {file["path"]: file for file in answer.args["files"]}

    def read(path: Path, agent: Any, size: float) -> LogDocs:
        docs = [given_doc(doc, size) for doc in files[str(path)]["docs"]]
        name = session_name(str(path))
        return LogDocs(name, None, name, "pi", None, None, False, (), docs)

    asked = Asked(folder)
    found = [Found(path, 1, int(file["mtimeMs"] * 1e6)) for path, file in files.items()]
    return asked, asked.sync(found, answer.args, read=read)


def given_doc(doc: dict[str, Any], size: float) -> Doc:
    text = head(doc["text"], size)
    fields = (text, None, None, None, None)
    role, time = doc.get("role", "user"), doc.get("ts", 0)
    return Doc(1, None, role, time, True, text, fields, doc.get("title"))


SYNC_ARGS = ("folder", "maxDocs", "maxDocChars", "skip")


@cache
def of_folder(logs: Path, wanted: str) -> tuple[Asked, Any]:
    """An index of a folder, made once for all requests that want the same."""
    args = json.loads(wanted)
    asked, skip = Asked(logs), args.get("skip")
    return asked, asked.sync(listed(logs, args["folder"]), args, skip=skip and str(logs / skip))


def indexed(answer: Answer, logs: Path, folder: Path) -> tuple[Asked, Any, Path]:
    """An index of what the request names, and its first sync."""
    if "files" in answer.args:
        return *given(answer, folder), folder
    wanted = {name: answer.args[name] for name in SYNC_ARGS if name in answer.args}
    return *of_folder(logs, json.dumps(wanted)), logs


@pytest.mark.parametrize("answer", of("sync"), ids=str)
def test_a_sync_holds_the_same_documents(answer: Answer, logs: Path, tmp_path: Path) -> None:
    _, state, _ = indexed(answer, logs, tmp_path)
    assert state == answer.result


@pytest.mark.parametrize("answer", of("search"), ids=str)
def test_a_search_finds_the_same(answer: Answer, logs: Path, tmp_path: Path) -> None:
    asked, _, root = indexed(answer, logs, tmp_path)
    exclude = answer.args.get("exclude")
    if exclude and "files" not in answer.args:
        exclude = str(root / exclude)
    assert asked.search(answer.args, exclude) == answer.result


@pytest.mark.parametrize("answer", answers("random.jsonl"), ids=str)
def test_a_random_search_finds_the_same(answer: Answer, logs: Path, tmp_path: Path) -> None:
    test_a_search_finds_the_same(answer, logs, tmp_path)
