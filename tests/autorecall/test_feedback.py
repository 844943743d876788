from __future__ import annotations

from pathlib import Path

import pytest

from memlab import Mnemopi, feedback_loop
from memlab.autorecall import BankMemory
from memlab.autorecall.feedback import each_line
from memlab.autorecall.scratch import ScratchMemory
from memlab.errors import BankReadOnly, InputError
from tests.autorecall.toys import said

BANK = Path(__file__).parents[2] / "data/banks/banks/team-dispatch-26o84yz56cokc/mnemopi.db"
NOW = "2026-11-02T09:00:00.000Z"
TALK = said(
    "which database did we choose?", "We chose PostgreSQL 16.\nThe database runs on hammer."
)


def test_what_is_stripped_does_not_come_back() -> None:
    """Field report 52: recalled memories were retained again, 3,948 became 6,773 in two hours."""
    frame = feedback_loop(TALK, 8)
    with_strip, without = (frame[frame["strip"] == strip] for strip in (True, False))
    assert list(with_strip["growth"]) == [3, 0, 0, 0, 0, 0, 0, 0]
    assert list(with_strip["echoes"]) == [0] * 8
    assert (without["growth"] > 0).all()
    assert (without["echoes"][1:] > 0).all()
    assert without["memories"].iloc[-1] > 3 * with_strip["memories"].iloc[-1]
    assert without["transcript_chars"].iloc[-1] > with_strip["transcript_chars"].iloc[-1]


def test_the_loop_runs_on_a_copy_of_a_real_bank(tmp_path: Path) -> None:
    before = BANK.read_bytes()
    numbers = iter(range(9))
    with Mnemopi(BANK) as bank:
        frame = feedback_loop(
            TALK, 4, memory=lambda: BankMemory(bank.copy(tmp_path / f"{next(numbers)}.db"), NOW)
        )
        with pytest.raises(BankReadOnly):
            feedback_loop(TALK, 1, memory=lambda: BankMemory(bank, NOW))
    growth = frame.groupby("strip")["growth"].apply(list).to_dict()
    assert growth[True][1:] == [0, 0, 0]
    assert min(growth[False]) > 0
    assert BANK.read_bytes() == before


def test_a_bank_is_told_no_secrets(tmp_path: Path) -> None:
    with Mnemopi(BANK) as bank, bank.copy(tmp_path / "copy.db") as copy:
        BankMemory(copy, NOW).retain(["The robot has token-abcdefghijklmnop now."])
        assert [m.text for m in copy.memories() if "robot has" in m.text] == [
            "The robot has [REDACTED] now."
        ]


def test_your_own_extractor() -> None:
    frame = feedback_loop(TALK, 3, strip=[False], extract=lambda text: [])
    assert list(frame["memories"]) == [0, 0, 0]
    assert list(frame["strip"]) == [False] * 3


def test_an_extractor_that_believes_every_line() -> None:
    assert each_line("[role: user]\n hi \n\n...\n[user:end]") == ["hi"]


def test_the_small_memory_recalls_by_shared_words() -> None:
    memory = ScratchMemory(limit=1)
    memory.retain(["the queue is Redis", "the queue", "the queue", "other"])
    assert len(memory) == 3
    assert "- the queue is Redis [scratch]" in memory.block("is the queue up?")
    assert memory.block("zebra") == ""


def test_without_a_prompt_there_is_no_loop() -> None:
    with pytest.raises(InputError, match="no prompt of a user"):
        feedback_loop([])
    with pytest.raises(InputError, match="rounds is a whole number"):
        feedback_loop(TALK, 2.5)  # type: ignore[arg-type]
