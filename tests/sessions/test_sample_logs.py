"""The logs of the sample world: made by their script, sound, and telling the banks' story."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import memlab as ml
from memlab.models import Memories

DATA = Path(__file__).parents[2] / "data"
NOW = "2026-11-02T09:00:00Z"
WITHOUT_LOG = {"dis-016", "kol-012"}  # written on the command line; imported


@pytest.fixture(scope="module")
def logs() -> ml.SessionLogs:
    return ml.SessionLogs(DATA / "logs")


@pytest.fixture(scope="module")
def memories() -> Memories:
    banks = sorted((DATA / "banks").rglob("mnemopi.db"))
    return Memories([memory for path in banks for memory in ml.Mnemopi(path).memories(now=NOW)])


def test_they_are_what_their_script_makes() -> None:
    run = subprocess.run(
        [sys.executable, DATA / "make_logs.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.strip() == "23 logs are what the story makes", run.stderr
    assert run.returncode == 0


def test_they_are_sound_and_of_all_dialects(logs: ml.SessionLogs) -> None:
    assert list(logs.problems) == []
    frame = logs.frame()
    assert set(frame["agent"]) == {"pi", "omp", "claude"}
    assert set(frame["version"]) == {"1", "3", "2.1.0"}
    assert frame["is_subagent"].sum() == 2
    assert frame["compactions"].sum() == 2
    assert frame["resets"].sum() == 2
    assert (frame["branches"] > 1).sum() == 2
    assert frame["unknown_types"].map(len).sum() == 0


def test_every_session_of_the_banks_has_its_log(logs: ml.SessionLogs, memories: Memories) -> None:
    named = {
        memory.metadata["session_id"]
        for memory in memories
        if memory.metadata and memory.metadata.get("session_id")
    }
    frame = logs.frame()
    assert named <= set(frame[frame["agent"] == "omp"]["session_id"])


def test_every_memory_comes_from_a_line(logs: ml.SessionLogs, memories: Memories) -> None:
    frame = ml.provenance(memories, logs).frame()
    unsure = set(frame[frame["confidence"] < 0.6]["memory"])
    summaries = {
        m.id for m in memories if WITHOUT_LOG & set((m.raw.get("summary_of") or "").split(","))
    }
    assert unsure == WITHOUT_LOG | summaries
    sessions = {m.id: m.metadata.get("session_id") for m in memories if m.metadata}
    own = frame[(frame["via"].isna()) & ~frame["memory"].isin(WITHOUT_LOG)]
    for memory, session in zip(own["memory"], own["session_id"], strict=True):
        assert sessions.get(memory) in (None, session)


def test_sessions_without_memories_were_never_kept(
    logs: ml.SessionLogs, memories: Memories
) -> None:
    lost = ml.provenance(memories, logs).unremembered(below=0.7)
    texts = set(lost["text"])
    assert "Does anybody know why we bought a gauge without a spare?" in texts
    assert "What does Dana say about the brackets?" in texts
