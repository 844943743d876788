"""Edits: who may write where, what the tool says, and what is refused."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from memlab import Mnemopi, Settings, build_bank
from memlab.errors import BankLocked, BankReadOnly, InputError
from tests.golden_data import GOLDEN
from tests.mnemopi.holding import IN_USE, held
from tests.parity.engine import engine

NOW = "2026-03-01T12:00:00.000Z"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def copy(tmp_path: Path) -> Mnemopi:
    return Mnemopi(GOLDEN / "heron.db").copy(tmp_path / "copy.db")


def test_a_copy_is_whole_and_the_original_untouched(copy: Mnemopi) -> None:
    original = Mnemopi(GOLDEN / "heron.db")
    before = _digest(original.path)
    assert copy.bank == "heron"
    assert [m.raw for m in copy.memories()] == [m.raw for m in original.memories()]
    copy.forget("h0001", now=NOW)
    assert _digest(original.path) == before
    assert sorted(path.name for path in copy.path.parent.iterdir()) == ["copy.db"]


class TestTheToolsWords:
    """agent: memory_edit answers."""

    def test_done(self, copy: Mnemopi) -> None:
        assert copy.update("h0001", importance=7, now=NOW).text == (
            "Memory h0001 updated in bank heron (working)."
        )
        assert copy.get("h0001").importance == 1  # clamped to 0..1
        assert copy.invalidate("h0001", now=NOW).text == (
            "Memory h0001 invalidated in bank heron (working)."
        )
        assert copy.forget("h0001").text == "Memory h0001 deleted in bank heron (working)."
        assert copy.forget("h0001").text == "Memory h0001 was not found."

    def test_summaries_are_invalidated_only(self, copy: Mnemopi) -> None:
        summary = next(m.id for m in copy.memories() if m.tier == "episodic")
        for edit in (copy.update(summary, "x"), copy.forget(summary)):
            assert edit.text == f"Memory {summary} was not found in bank heron (episodic)."
            assert not edit.done
        assert copy.invalidate(summary).text == (
            f"Memory {summary} invalidated in bank heron (episodic)."
        )

    def test_facts_are_read_only(self, copy: Mnemopi) -> None:
        fact = next(fact.id for fact in copy.facts() if fact.session == "heron")
        assert copy.forget(fact).text == (
            f"Memory {fact} is a read-only fact in bank heron (fact); it cannot be edited. "
            f"Read it with memory://{fact}."
        )

    def test_another_sessions_memory_is_seen_and_not_changed(self, copy: Mnemopi) -> None:
        other = next(m for m in copy.memories() if m.session != "heron" and m.scope != "global")
        assert copy.forget(other.id).text == (
            f"Memory {other.id} was not found in bank heron (working)."
        )
        assert copy.get(other.id).text == other.text

    def test_an_update_of_nothing(self, copy: Mnemopi) -> None:
        with pytest.raises(
            InputError, match=r"^memory_edit update requires content or importance\.$"
        ):
            copy.update("h0001")

    def test_retain(self, copy: Mnemopi) -> None:
        assert copy.retain(["a", "b"], now=NOW).text == "2 memories stored."
        assert copy.retain(["c"], now=NOW).text == "1 memory stored."


def test_retain_writes_what_the_tool_writes(copy: Mnemopi) -> None:
    done = copy.retain([{"content": "The ferry is red.", "context": "painting day"}], now=NOW)
    memory = copy.get(done.ids[0])
    assert (memory.source, memory.importance, memory.veracity, memory.type, memory.scope) == (
        "coding-agent-retain", 0.75, "tool", "fact", "bank",
    )  # fmt: skip
    assert memory.metadata == {"context": "painting day"}
    assert copy.recall("ferry red", now=NOW).ids[0] == memory.id


def test_an_update_indexes_the_new_text(copy: Mnemopi) -> None:
    key = copy.retain([{"content": "shown", "embed_text": "ferryman"}], now=NOW).ids[0]
    assert key in copy.recall("ferryman", now=NOW).ids
    copy.update(key, "now about lighthouses", now=NOW)
    assert key not in copy.recall("ferryman", now=NOW).ids
    assert key in copy.recall("lighthouses", now=NOW).ids


def test_retain_refuses_summaries(copy: Mnemopi) -> None:
    with pytest.raises(InputError, match="working memories only"):
        copy.retain([{"text": "a summary", "tier": "episodic"}])


def test_a_failed_write_writes_nothing(copy: Mnemopi) -> None:
    count = len(copy.memories())
    with pytest.raises(InputError):
        copy.retain(["fine", {"content": "also", "importance": []}])
    assert len(copy.refresh().memories()) == count


def test_a_bank_opened_for_reading_is_not_written_to() -> None:
    bank = Mnemopi(GOLDEN / "heron.db")
    before = _digest(bank.path)
    for edit in (
        lambda: bank.update("h0001", "x"),
        lambda: bank.forget("h0001"),
        lambda: bank.invalidate("h0001"),
        lambda: bank.retain(["x"]),
        lambda: bank.recall("x", count=True),
    ):
        with pytest.raises(BankReadOnly, match=r"(?i)copy"):
            edit()
    assert _digest(bank.path) == before


class TestVectorsAndEdits:
    def test_without_an_embedder_the_old_vector_stays(self, tmp_path: Path) -> None:
        """As in an engine whose embeddings are off: the vector is that of the old text."""
        bank = build_bank([{"text": "a", "id": "m", "vector": [1, 0]}], tmp_path / "b.db")
        bank.update("m", "quite another text")
        assert bank.snapshot.rows("SELECT embedding_json AS v FROM memory_embeddings") == [
            {"v": "[1,0]"}
        ]

    def test_with_one_it_is_renewed(self, tmp_path: Path) -> None:
        def embedder(texts: list[str]) -> np.ndarray:  # type: ignore[type-arg]
            return np.array([[len(text), 1.0] for text in texts])

        bank = build_bank([{"text": "a", "id": "m"}], tmp_path / "b.db", embedder=embedder)
        bank.update("m", "four")
        key = bank.retain(["sixsix"]).ids[0]
        rows = bank.snapshot.rows(
            "SELECT memory_id AS m, embedding_json AS v FROM memory_embeddings"
        )
        assert {row["m"]: row["v"] for row in rows} == {"m": "[4,1]", key: "[6,1]"}


class TestTheAgentsOwnBanks:
    """Only when told twice, and never while the agent has them open."""

    @pytest.fixture
    def own(self, clean_environment: Path, tmp_path: Path) -> Path:
        path = clean_environment / ".omp" / "agent" / "memories" / "mnemopi" / "mnemopi.db"
        path.parent.mkdir(parents=True)
        built = build_bank([{"text": "The ferry leaves at noon.", "id": "m"}], tmp_path / "b.db")
        shutil.copyfile(built.path, path)
        return path

    def test_it_is_the_settings_bank(self, own: Path) -> None:
        assert Mnemopi(settings=Settings.load()).path == own

    def test_writable_is_not_enough(self, own: Path) -> None:
        with pytest.raises(BankReadOnly, match="agents_own=True"):
            Mnemopi(own, writable=True)

    def test_nor_is_a_roundabout_path(self, own: Path) -> None:
        roundabout = own.parent / ".." / "mnemopi" / own.name
        with pytest.raises(BankReadOnly):
            Mnemopi(roundabout, writable=True)
        link = own.parent.parent / "innocent.db"
        link.symlink_to(own)
        with pytest.raises(BankReadOnly):
            Mnemopi(link, writable=True)

    def test_nothing_is_put_beside_it(self, own: Path) -> None:
        beside = own.parent / "banks" / "lab" / "mnemopi.db"
        with pytest.raises(BankReadOnly, match="elsewhere"):
            build_bank(["x"], beside)
        with pytest.raises(BankReadOnly, match="elsewhere"):
            Mnemopi(own).copy(beside)
        assert not beside.parent.exists()

    def test_told_twice_it_is_edited(self, own: Path) -> None:
        bank = Mnemopi(own, writable=True, agents_own=True)
        assert bank.forget("m").done
        assert len(Mnemopi(own).memories()) == 0

    def test_not_while_the_agent_has_it_open(self, own: Path) -> None:
        with held(own, IN_USE):
            with pytest.raises(BankLocked, match="open in another process"):
                Mnemopi(own, writable=True, agents_own=True, wait=0.1)
            assert len(Mnemopi(own).memories()) == 1

    @pytest.mark.engine
    def test_not_while_the_real_engine_has_it_open(self, own: Path) -> None:
        engine().call("getStats", db=own, bank="default")  # it keeps the bank open
        try:
            with pytest.raises(BankLocked, match="open in another process"):
                Mnemopi(own, writable=True, agents_own=True, wait=0.1)
        finally:
            engine().call("close", prefix=str(own))
        assert Mnemopi(own, writable=True, agents_own=True, wait=0.1).forget("m").done

    def test_nor_if_the_agent_comes_later(self, own: Path) -> None:
        bank = Mnemopi(own, writable=True, agents_own=True, wait=0.1)
        with held(own, IN_USE):
            with pytest.raises(BankLocked):
                bank.forget("m")
            with pytest.raises(BankLocked):
                bank.recall("ferry", count=True)
        assert bank.forget("m").done
