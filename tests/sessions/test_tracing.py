"""Provenance: memories to lines, and turns to memories."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from memlab import Bm25
from memlab.errors import InputError
from memlab.models import Memories, Memory
from memlab.sessions import SessionLogs, provenance

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def log(folder: Path, session: str, cwd: str, *said: tuple[float, str, str]) -> None:
    rows: list[Any] = [{"type": "session", "version": 3, "id": session, "cwd": cwd}]
    for number, (minutes, role, text) in enumerate(said):
        message = {"role": role, "content": [{"type": "text", "text": text}]}
        parent = str(number - 1) if number else None
        row = {"type": "message", "id": str(number), "parentId": parent, "message": message}
        rows.append({**row, "timestamp": at(minutes).isoformat()})
    (folder / f"{session}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def logs(tmp_path: Path) -> SessionLogs:
    log(
        tmp_path,
        "s-one",
        "/home/ana/shop",
        (0, "user", "Which database do we use for orders?"),
        (1, "assistant", "Orders live in PostgreSQL 16 on the host hammer."),
        (5, "user", "Lunch?"),
    )
    log(
        tmp_path,
        "s-two",
        "/home/ana/shop",
        (600, "user", "Where do orders live, in PostgreSQL 16 on the host hammer?"),
        (601, "assistant", "Yes."),
    )
    return SessionLogs(tmp_path)


def memory(key: str, text: str, minutes: float | None = 2, **metadata: Any) -> Memory:
    time = None if minutes is None else at(minutes)
    return Memory(key, text, "working", "live", time=time, metadata=metadata)


def rows(logs: SessionLogs, *items: Memory) -> pd.DataFrame:
    return provenance(Memories(items), logs).frame().set_index("memory")


def test_session_directory_and_time_decide_among_equal_words(logs: SessionLogs) -> None:
    text = "Orders live in PostgreSQL 16 on the host hammer."
    found = rows(
        logs,
        memory("full", text, session_id="s-one", cwd="/home/ana/shop"),
        memory("late", text, minutes=602, session_id="s-two", cwd="/home/ana/shop"),
        memory("bare", text, minutes=None),
    )
    assert found["session_id"].tolist() == ["s-one", "s-two", "s-one"]
    assert found["line_no"].tolist() == [3, 2, 3]
    assert found["overlap"].tolist() == [1.0, 1.0, 1.0]
    assert found.loc["full", "confidence"] == pytest.approx(
        0.4 + 0.6 * (0.7 + 0.3 * 0.5 ** (1 / 30))
    )
    assert found.loc["bare", "confidence"] == pytest.approx(0.4)
    assert found.loc["full", "prompt"] == "Which database do we use for orders?"
    assert bool(found.loc["full", "same_session"])
    assert not found.loc["bare", "same_session"]
    assert found.loc["full", "minutes"] == pytest.approx(1)


def test_what_was_said_later_did_not_make_a_memory(logs: SessionLogs) -> None:
    found = rows(logs, memory("m", "Lunch", minutes=3))
    assert found.loc["m", "minutes"] == pytest.approx(-2)
    assert found.loc["m", "confidence"] == pytest.approx(0.4)


def test_a_source_id_may_have_more_behind_the_session_s(logs: SessionLogs) -> None:
    found = rows(logs, memory("m", "PostgreSQL 16 on hammer", source_id="s-one-3"))
    assert bool(found.loc["m", "same_session"])


def test_a_transcript_is_taken_apart(logs: SessionLogs) -> None:
    text = (
        "[role: user]\nWhich database do we use for orders?\n[user:end]\n\n"
        "[role: assistant]\nOrders live in PostgreSQL 16 on the host hammer.\n[assistant:end]"
    )
    joined = provenance(Memories([memory("t", text, session_id="s-one")]), logs)
    frame = joined.of("t")
    assert frame["part"].tolist() == [1, 2]
    assert frame["line_no"].tolist() == [2, 3]
    assert frame["overlap"].tolist() == [1.0, 1.0]
    kept = joined.turns().set_index(["session_id", "line_no"])
    assert kept.loc[("s-one", 2), "remembered"] == pytest.approx(1.0)
    assert kept.loc[("s-one", 4), "remembered"] == 0.0
    assert pd.isna(kept.loc[("s-one", 4), "memory"])


def test_a_summary_comes_from_where_its_sources_come_from(logs: SessionLogs) -> None:
    source = memory("m1", "Orders live in PostgreSQL 16 on the host hammer.", session_id="s-one")
    raw = {"summary_of": "m1,gone"}
    summary = Memory("s1", "PG16@hammer", "episodic", "live", time=at(900), raw=raw)
    found = rows(logs, source, summary)
    assert found.loc["s1", "via"] == "m1"
    assert found.loc["s1", "line_no"] == 3
    assert pd.isna(found.loc["m1", "via"])


def test_a_memory_without_a_line_is_there_with_confidence_0(logs: SessionLogs) -> None:
    joined = provenance(Memories([memory("m", "Zebras graze."), memory("e", "...")]), logs)
    frame = joined.frame()
    assert frame["confidence"].tolist() == [0.0, 0.0]
    assert frame["line_no"].isna().all()
    assert joined.frame(at_least=0.1).empty
    assert "0 with a line in the logs" in repr(joined)
    with pytest.raises(InputError, match="no memory 'other'"):
        joined.of("other")


def test_turns_that_never_became_a_memory(logs: SessionLogs) -> None:
    joined = provenance(
        Memories([memory("m", "Orders live in PostgreSQL 16 on the host hammer.")]), logs
    )
    lost = joined.unremembered()
    assert "Lunch?" in lost["text"].tolist()
    assert "Orders live in PostgreSQL 16 on the host hammer." not in lost["text"].tolist()
    assert set(joined.turns()["kind"]) == {"prompt", "reply"}


def test_frames_are_taken_too_and_must_have_their_columns(logs: SessionLogs) -> None:
    bank = Memories(
        [memory("m", "Orders live in PostgreSQL 16 on the host hammer.", session_id="s-one")]
    )
    of_values = provenance(bank, logs).frame()
    of_frames = provenance(bank.frame(), logs.entries()).frame()
    pd.testing.assert_frame_equal(of_values, of_frames)
    assert len(provenance(bank, logs.roots[0].path).frame()) == 1
    with pytest.raises(InputError, match="no column 'text'"):
        provenance(pd.DataFrame({"id": ["a"]}), logs)
    assert provenance(Memories([]), logs).frame().empty


def test_a_bank_is_taken_as_its_memories_are_and_nothing_else_is(logs: SessionLogs) -> None:
    bank = Bm25({"m1": "Which database do we use for orders?"})
    by_bank, by_memories = (provenance(x, logs).frame() for x in (bank, bank.memories()))
    pd.testing.assert_frame_equal(by_bank, by_memories)
    assert len(by_bank) == 1
    strange: Any
    for strange in ("bank.db", 7, None):
        with pytest.raises(InputError, match="holds no memories. Give a bank"):
            provenance(strange, logs)
