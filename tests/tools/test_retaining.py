from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, Settings, tools
from memlab.errors import BackendUnavailable, BankError, BankLocked, BankReadOnly, InputError
from tests.autorecall.toys import Toy
from tests.tools.toys import ToyBank, ToyServer

BANK = Path(__file__).parents[2] / "data/banks/banks/team-dispatch-26o84yz56cokc/mnemopi.db"
NOW = "2026-11-02T09:00:00.000Z"


def test_items_are_stored_one_by_one_with_where_they_come_from() -> None:
    bank, shared = ToyBank("dispatch"), ToyBank("team")
    items = ["one", {"content": "two", "context": "chat"}, {"content": "three", "scope": "global"}]
    answer = tools.retain(bank, items, shared=shared, session_id="s", cwd="/work")
    assert (answer.text, dict(answer.details)) == ("3 memories stored.", {"count": 3})
    told = {"session_id": "s", "cwd": "/work", "tool": "retain"}
    assert bank.retained == [
        {"content": "one", "metadata": {**told, "context": None}},
        {"content": "two", "metadata": {**told, "context": "chat"}},
    ]
    assert shared.retained == [{"content": "three", "metadata": {**told, "context": None}}]
    assert tools.retain(bank, ["four"]).text == "1 memory stored."


def test_a_global_item_needs_a_shared_bank_and_nothing_is_stored_before() -> None:
    bank = ToyBank("dispatch")
    with pytest.raises(
        InputError, match="Mnemopi global scope requires global or per-project-tagged scoping"
    ):
        tools.retain(bank, ["one", {"content": "two", "scope": "global"}])
    assert bank.retained == []


def test_a_failed_item_stops_and_says_what_is_stored() -> None:
    with pytest.raises(
        BankError, match=r"Item 3 of 4 was not stored: the bank is locked.*items 1 to 2 are stored"
    ):
        tools.retain(ToyBank("dispatch", locked_at=3), ["a", "b", "c", "d"])
    with pytest.raises(BankError, match=r"Item 2 of 2 .*item 1 is stored"):
        tools.retain(ToyBank("dispatch", locked_at=2), ["a", "b"])
    with pytest.raises(BankLocked):
        tools.retain(ToyBank("dispatch", locked_at=1), ["a", "b"])


def test_hindsight_queues() -> None:
    server = ToyServer()
    answer = tools.retain(server, ["one", {"content": "two", "context": "chat"}], session_id="s")
    assert (answer.text, dict(answer.details)) == ("2 memories queued.", {"count": 2})
    assert server.retained == [
        [
            {"content": "one", "context": "omp", "metadata": {"session_id": "s"}},
            {"content": "two", "context": "chat", "metadata": {"session_id": "s"}},
        ]
    ]
    own = Settings.load(hindsight={"retain_context": "lab"})
    assert tools.retain(server, ["three"], settings=own).text == "1 memory queued."
    assert server.retained[1] == [{"content": "three", "context": "lab"}]
    with pytest.raises(InputError, match="only available with the Mnemopi backend"):
        tools.retain(server, [{"content": "x", "scope": "global"}])


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "items is empty"),
        ([3], "An item is a text"),
        ([{"text": "x"}], "An item is a text, or a mapping with a content"),
        ([{"content": "x", "importance": 1}], "An item has no importance"),
        ([{"content": "x", "scope": "team"}], '"project" or "global", not \'team\''),
    ],
)
def test_what_is_no_item_is_refused(items: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tools.retain(ToyBank("dispatch"), items)


def test_a_backend_must_be_able_to() -> None:
    with pytest.raises(InputError, match=r"cannot retain.*bank\.copy"):
        tools.retain(Toy(), ["x"])
    with pytest.raises(BackendUnavailable, match="Mnemopi backend is not initialised"):
        tools.retain(None, ["x"], style="mnemopi")


def test_a_real_copy_takes_it_and_the_original_does_not(tmp_path: Path) -> None:
    before = BANK.read_bytes()
    with Mnemopi(BANK) as bank:
        with pytest.raises(BankReadOnly):
            tools.retain(bank, ["x"])
        with bank.copy(tmp_path / "copy.db") as copy:
            kept = tools.retain(
                copy, [{"content": "The zebra crossing is new.", "context": "a walk"}],
                session_id="s", cwd="/work/dispatch",
            )  # fmt: skip
            assert kept.text == "1 memory stored."
            (memory,) = [m for m in copy.memories() if "zebra" in m.text]
            assert (memory.source, memory.importance, memory.veracity, memory.type) == (
                "coding-agent-retain", 0.75, "tool", "fact",
            )  # fmt: skip
            assert memory.metadata == {
                "session_id": "s", "cwd": "/work/dispatch", "context": "a walk", "tool": "retain",
            }  # fmt: skip
            assert "zebra" in tools.recall(copy, "zebra").text
    assert BANK.read_bytes() == before
