"""Broken logs: problems beside the data, the rest read; strict=True raises; nothing is written."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memlab.errors import FormatError
from memlab.sessions import Session, SessionIndex, SessionLogs

SAMPLES = Path(__file__).parent / "samples"
HEADER = {"type": "session", "version": 3, "id": "b1", "cwd": "/p"}


def said(text: str, name: str, parent: str | None) -> dict[str, Any]:
    message = {"role": "user", "content": text}
    return {"type": "message", "id": name, "parentId": parent, "message": message}


def log(path: Path, *rows: dict[str, Any] | str) -> Session:
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"))
    return Session(path)


def whys(session: Session) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in session.problems]


def texts(session: Session) -> list[str]:
    return [message.text for message in session.turns]


def test_a_bad_line_in_the_middle_costs_that_line_alone(tmp_path: Path) -> None:
    rows = (HEADER, said("one", "a", None), '{"type":"mess', said("two", "b", "a"))
    session = log(tmp_path / "s.jsonl", *rows)
    assert texts(session) == ["one", "two"]
    assert session.report.malformed == 1
    assert whys(session)[0][0] == 3
    assert str(session.problems[0]).startswith(f"{session.path}:3: not JSON")


@pytest.mark.parametrize(
    "head", ["{broken header", '{"type":"session","cwd":"/p"}', '"text"', "[1]"]
)
def test_a_broken_or_missing_header_leaves_the_rest(tmp_path: Path, head: str) -> None:
    session = log(tmp_path / "broken.jsonl", head, said("one", "a", None))
    assert texts(session) == ["one"]
    assert session.id == "broken"
    assert any("no header" in why for _, why in whys(session))


def test_a_header_that_comes_late_is_taken_and_named(tmp_path: Path) -> None:
    session = log(tmp_path / "s.jsonl", said("one", "a", None), HEADER, said("two", "b", "a"))
    assert (session.id, texts(session)) == ("b1", ["one", "two"])
    assert whys(session) == [
        (2, "the header is not where it belongs; pi takes the file for no session")
    ]


def test_loops_missing_parents_and_doubled_ids_are_named(tmp_path: Path) -> None:
    rows = [said("one", "a", "c"), said("two", "b", "a"), said("three", "c", "b")]
    rows += [said("four", "d", "nobody"), said("five", "d", "d")]
    session = log(tmp_path / "s.jsonl", HEADER, *rows)
    report = session.report
    assert (report.loops, report.missing_parents, report.duplicates) == (2, 1, 1)
    assert len(session.problems) == 4
    assert len(session.entries) == 5


@pytest.mark.parametrize("depth", [300, 700, 200_000])
def test_deep_nesting_is_read_or_named_and_stops_nothing(tmp_path: Path, depth: int) -> None:
    call = {"type": "toolCall", "id": "c", "name": "write", "arguments": {"kelp": "DEEP"}}
    message = {"role": "assistant", "content": [call, {"type": "text", "text": "two"}]}
    row = json.dumps({"type": "message", "id": "b", "parentId": "a", "message": message})
    deep = row.replace('"DEEP"', '{"x":' * depth + "1" + "}" * depth)
    session = log(tmp_path / "s.jsonl", HEADER, said("one", "a", None), deep)
    is_read = depth < 1000
    assert texts(session) == (["one", "two"] if is_read else ["one"])
    assert whys(session) == ([] if is_read else [(3, "nested too deeply to be read")])
    assert len(session.history("kelp")) == is_read
    assert len(session.frame()) == (3 if is_read else 1)
    index = SessionIndex.build(tmp_path)
    assert len(index.search("kelp", ranking="bm25")) == is_read
    assert index.search("one")[0].text == "one"


def test_windows_line_ends_separators_and_lone_surrogates_are_no_problem(tmp_path: Path) -> None:
    text = "one\u2028two \ud83d three"
    rows = [json.dumps(row) for row in (HEADER, said(text, "a", None))]
    path = tmp_path / "s.jsonl"
    path.write_bytes("\r\n".join([*rows, ""]).encode())
    session = Session(path)
    assert texts(session) == [text]
    assert list(session.problems) == []
    assert session.frame()["text"].tolist() == ["one\u2028two � three"]


def test_strict_raises_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    log(path, HEADER, "{oops", "{again")
    with pytest.raises(FormatError, match=r"s\.jsonl:2: not JSON.*and 1 more.*strict=False"):
        _ = Session(path, strict=True).entries
    with pytest.raises(FormatError):
        SessionLogs(tmp_path, strict=True).frame()
    assert len(SessionLogs(tmp_path).problems) == 2


def test_a_file_that_cannot_be_opened_is_an_error_and_among_many_a_problem(tmp_path: Path) -> None:
    log(tmp_path / "good.jsonl", HEADER, said("one", "a", None))
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "good.jsonl")
    logs = SessionLogs(tmp_path)
    sessions = list(logs)
    (tmp_path / "gone.jsonl").unlink()
    with pytest.raises(FormatError, match=r"gone\.jsonl cannot be read"):
        _ = next(session for session in sessions if "gone" in session.path.name).entries
    folder = tmp_path / "folder.jsonl"
    folder.mkdir()
    with pytest.raises(FormatError):
        _ = Session(folder).entries


def test_a_missing_picture_is_named_in_an_agent_s_own_folder(tmp_path: Path) -> None:
    place = tmp_path / "agent" / "sessions" / "-src" / "s.jsonl"
    place.parent.mkdir(parents=True)
    place.write_bytes((SAMPLES / "omp.jsonl").read_bytes())
    assert whys(Session(place)) == [(5, "the picture 9f86d081884c… is gone")]
    blobs = tmp_path / "agent" / "blobs"
    blobs.mkdir()
    name = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    (blobs / name).write_bytes(b"png")
    assert list(Session(place).problems) == []


def test_a_log_that_grows_while_it_is_read_is_read_to_some_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    log(path, HEADER)
    stop = threading.Event()

    def write() -> None:
        with path.open("ab", buffering=0) as file:
            number = 0
            while not stop.is_set():
                line = json.dumps(
                    said("word " * 40, f"n{number}", f"n{number - 1}" if number else None)
                )
                half = len(line) // 2
                file.write(line[:half].encode())
                file.write(f"{line[half:]}\n".encode())
                number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        counts, end = [0], time.monotonic() + 60
        while counts[-1] < 60 and time.monotonic() < end:
            session = Session(path)
            counts.append(len(session.entries))
            lines = {problem.line for problem in session.problems}
            assert lines <= {len(session.entries) + 2}  # at most the one being written
            assert session.tree.branches <= 1
    finally:
        stop.set()
        writer.join()
    assert counts == sorted(counts)
    assert counts[-1] >= 60


def test_what_grew_while_it_was_indexed_is_read_again_at_the_next_sync(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "s.jsonl"
    path.parent.mkdir()
    log(path, HEADER, said("kelp one", "a", None))
    with path.open("ab") as file:
        file.write(b'{"type":"message","id":"b","parentId":"a","mess')
    index = SessionIndex.build(path.parent)
    assert index.search("kelp")[0].text == "kelp one"
    assert "unfinished" in index.report.problems[0].why
    with path.open("ab") as file:
        file.write(b'age":{"role":"user","content":"kelp two"}}\n')
    assert index.sync().changed
    assert len(index.search("kelp")) == 2


def test_reading_never_changes_a_log(tmp_path: Path) -> None:
    for sample in SAMPLES.glob("*.jsonl"):
        (tmp_path / sample.name).write_bytes(sample.read_bytes())
    (tmp_path / "bad.jsonl").write_bytes(b"{broken header\n\0\0\n")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    tmp_path.chmod(0o555)
    try:
        logs = SessionLogs(tmp_path)
        logs.frame()
        logs.entries()
        _ = [session.conversation_as_agent_reads_it for session in logs]
        SessionIndex.build(logs).search("login")
    finally:
        tmp_path.chmod(0o755)
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    assert after == before


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from(["user", "assistant", "message", "session", "text", "a", "b"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["type", "id", "parentId", "message", "role", "content", "text", "timestamp", "uuid",
             "parentUuid", "isSidechain", "usage", "cost", "input", "name", "arguments", "summary",
             "firstKeptEntryId", "firstKeptEntryIndex", "title", "cwd", "sessionId", "origin",
             "tool_use_id", "thinking", "stopReason", "files", "path", "data", "targetId", "label"]
        ),
        inner,
        max_size=6,
    ),
    max_leaves=12,
)  # fmt: skip
ROW = st.fixed_dictionaries(
    {"type": st.sampled_from(["message", "session", "user", "assistant", "compaction", "label",
                              "title", "system", "queue-operation", "session_info", "x"])},
    optional={"message": JUNK, "id": JUNK, "parentId": JUNK, "uuid": JUNK, "timestamp": JUNK,
              "content": JUNK, "sessionId": JUNK, "summary": JUNK, "firstKeptEntryIndex": JUNK},
)  # fmt: skip


@hypothesis_settings(max_examples=80)
@given(st.lists(ROW | JUNK, max_size=8), st.sampled_from([None, "pi", "omp", "claude"]))
def test_no_content_stops_a_reader(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], agent: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "junk.jsonl"
    lines = (json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines))
    session = Session(path, agent=agent)
    frame = session.frame()
    assert set(frame["line_no"]) == {entry.line_no for entry in session.entries}
    assert len(session.summary()) == 1
    assert session.label
    assert len(session.conversation) == len(session.turns)
    assert isinstance(session.history("user text"), list)


@hypothesis_settings(max_examples=40)
@given(st.lists(ROW | JUNK, max_size=8))
def test_no_content_stops_an_index(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("junk")
    lines = (json.dumps(row) for row in rows)
    (folder / "junk.jsonl").write_text("".join(f"{line}\n" for line in lines))
    index = SessionIndex.build(folder)
    for ranking in ("pify", "bm25"):
        index.search("user text a", ranking=ranking)
    os.utime(folder / "junk.jsonl", (1, 1))
    assert index.sync().read == 1
