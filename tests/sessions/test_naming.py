"""Names: proposed as the extension would, written once, only when asked, only where none is."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlab.errors import FormatError, InputError
from memlab.sessions import Session, name_session
from memlab.sessions.naming import proposed_name

SAMPLES = Path(__file__).parent / "samples"
NOW = datetime(2026, 1, 6, 12, 0, tzinfo=UTC)


def copy(tmp_path: Path, name: str) -> Path:
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes((SAMPLES / f"{name}.jsonl").read_bytes())
    return path


def test_one_line_is_appended_and_nothing_else(tmp_path: Path) -> None:
    path = copy(tmp_path, "pi-v2")
    before = path.read_bytes()
    assert name_session(path, writable=True, now=NOW) == "What is on the picture?".rstrip("?")
    after = path.read_bytes()
    assert after.startswith(before)
    line = json.loads(after[len(before) :])
    assert line["type"] == "session_info"
    assert line["parentId"] == "00000006"
    assert len(line["id"]) == 8
    assert line["timestamp"] == "2026-01-06T12:00:00.000Z"
    session = Session(path)
    assert session.title == "What is on the picture"
    assert session.tree.branches == 1
    assert list(session.problems) == []


def test_never_twice(tmp_path: Path) -> None:
    path = copy(tmp_path, "pi-v2")
    assert name_session(path, "Pictures", writable=True) == "Pictures"
    before = path.read_bytes()
    assert name_session(path, "Other", writable=True) == ""
    assert name_session(path, writable=True) == ""
    assert path.read_bytes() == before


def test_a_name_on_another_branch_is_one(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    rows: list[dict[str, object]] = [
        {"type": "session", "version": 3, "id": "s"},
        {"type": "message", "id": "a", "parentId": None, "message": {"role": "user", "content": "kelp"}},
        {"type": "session_info", "id": "b", "parentId": "a", "name": "Kelp forests"},
        {"type": "message", "id": "c", "parentId": "a", "message": {"role": "user", "content": "cod"}},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    before = path.read_bytes()
    assert proposed_name(Session(path)) == ""
    assert name_session(path, "Cod", writable=True) == ""
    assert path.read_bytes() == before


@pytest.mark.parametrize("head", ["{broken header", '{"type":"session"}', "null", ""])
def test_nothing_is_written_into_what_has_no_header(tmp_path: Path, head: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(f'{head}\n{{"role":"user","content":"kelp"}}\n')
    before = path.read_bytes()
    with pytest.raises(FormatError, match="no header that can be read.*nothing was written"):
        name_session(path, "Kelp", writable=True)
    assert path.read_bytes() == before


def test_a_name_cut_inside_an_emoji_is_written_as_the_agent_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    prompt = {"role": "user", "content": "x" * 59 + "\U0001f30a"}
    path.write_text(f'{{"type":"session","id":"s"}}\n{json.dumps(prompt)}\n')
    assert name_session(path, writable=True) == "x" * 59 + "\ud83c…"
    assert path.read_bytes().splitlines()[-1].endswith('x\\ud83c…"}'.encode())
    assert Session(path).title == "x" * 59 + "\ud83c…"
    assert name_session(path, "\ufeff", writable=True) == ""  # blank to the agent


def test_never_without_being_asked(tmp_path: Path) -> None:
    path = copy(tmp_path, "pi-v2")
    before = path.read_bytes()
    assert proposed_name(Session(path)) == "What is on the picture"
    with pytest.raises(InputError, match="writes into it. Ask with writable=True"):
        name_session(path)
    assert path.read_bytes() == before


def test_the_first_version_has_no_ids(tmp_path: Path) -> None:
    path = copy(tmp_path, "pi-v1")
    name_session(path, writable=True, now=NOW)
    line = json.loads(path.read_bytes().splitlines()[-1])
    assert set(line) == {"type", "timestamp", "name"}
    assert Session(path).title == "Why does checkout time out"


def test_a_session_that_gives_no_name_stays_without(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"type":"session","id":"s"}\n{"role":"user","content":"/resume"}\n')
    assert name_session(path, writable=True) == ""
    assert name_session(path, "   ", writable=True) == ""
    assert path.read_text().count("\n") == 2


@pytest.mark.parametrize("sample", ["omp", "claude"])
def test_other_agents_keep_their_titles_elsewhere(tmp_path: Path, sample: str) -> None:
    path = copy(tmp_path, sample)
    before = path.read_bytes()
    with pytest.raises(InputError, match="keeps its titles elsewhere"):
        name_session(path, "x", writable=True)
    assert path.read_bytes() == before


def test_a_last_line_without_its_newline_gets_it_first(tmp_path: Path) -> None:
    path = copy(tmp_path, "pi-v2")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    name_session(path, writable=True)
    assert Session(path).title == "What is on the picture"


def test_nothing_is_written_after_an_unfinished_line(tmp_path: Path) -> None:
    path = copy(tmp_path, "pi-v2")
    path.write_bytes(path.read_bytes() + b'{"type":"mess')
    before = path.read_bytes()
    with pytest.raises(FormatError, match="the last line is unfinished.*nothing was written"):
        name_session(path, writable=True)
    assert path.read_bytes() == before
