from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, Settings, build_bank, tools
from memlab.errors import (
    BackendUnavailable,
    BankError,
    BankLocked,
    BankReadOnly,
    InputError,
    InvalidTime,
)
from tests.autorecall.toys import Toy
from tests.tools.toys import ToyBank, ToyServer

BANK = Path(__file__).parents[2] / "data/banks/banks/team-dispatch-26o84yz56cokc/mnemopi.db"
NOW = "2026-11-02T09:00:00.000Z"
SECRET = "ghp_" + "a1B2" * 9


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


@pytest.mark.parametrize(
    ("at", "count", "words"),
    [
        (1, 1, "Nothing was stored."),
        (1, 3, "Nothing was stored. Later items were not attempted."),
        (2, 2, "Stored before the failure and kept: item 1 (id dispatch-1)."),
        (
            3,
            4,
            (
                "Stored before the failure and kept: item 1 (id dispatch-1), "
                "item 2 (id dispatch-2). Later items were not attempted."
            ),
        ),
    ],
)
def test_a_failed_item_stops_and_says_in_the_agents_words_what_is_stored(
    at: int, count: int, words: str
) -> None:
    bank = ToyBank("dispatch", locked_at=at)
    with pytest.raises(BankLocked) as raised:
        tools.retain(bank, ["x"] * count)
    reason = "the bank is locked by another process"
    assert str(raised.value) == f"Mnemopi did not store item {at} of {count}: {reason}. {words}"
    assert len(bank.retained) == at - 1


def test_a_failed_embedder_is_a_failed_item(tmp_path: Path) -> None:
    asked: list[str] = []

    def embedder(texts: list[str]) -> list[list[float]]:
        asked.extend(texts)
        if len(asked) > 1:
            raise ConnectionError("nobody listens")
        return [[1.0, 0.0]]

    bank = build_bank([], tmp_path / "new.db", embedder=embedder)
    with bank, pytest.raises(BankError, match=r"item 2 of 2: nobody listens\. Stored .* item 1"):
        tools.retain(bank, ["one", "two"])
    assert asked == ["one", "two"]


def test_nothing_is_stored_where_a_shared_bank_cannot_retain() -> None:
    bank = ToyBank("dispatch")
    items = ["one", {"content": "two", "scope": "global"}]
    with pytest.raises(InputError, match="cannot retain"):
        tools.retain(bank, items, shared=Toy())
    assert bank.retained == []


def test_secrets_are_replaced_in_the_text_and_in_the_metadata() -> None:
    bank = ToyBank("dispatch")
    item = {"content": f"The robot is {SECRET}.", "context": f"a chat about {SECRET}"}
    tools.retain(bank, [item], session_id="s", cwd="/work/secret-0123456789abcdef")
    assert bank.retained == [
        {
            "content": "The robot is [REDACTED].",
            "metadata": {
                "session_id": "s",
                "cwd": "/work/[REDACTED]",
                "context": "a chat about [REDACTED]",
                "tool": "retain",
            },
        }
    ]


def test_hindsight_gets_items_as_they_are_as_from_the_agent() -> None:
    server = ToyServer()
    tools.retain(server, [SECRET])
    assert server.retained[0][0]["content"] == SECRET


@pytest.mark.parametrize("item", ["one and two", {"content": "one and two"}])
def test_a_single_item_is_one_memory(item: Any) -> None:
    """And not a memory for each letter of a text, or for each key of a mapping."""
    bank, server = ToyBank("dispatch"), ToyServer()
    assert tools.retain(bank, item).text == "1 memory stored."
    assert tools.retain(server, item).text == "1 memory queued."
    assert [kept["content"] for kept in (*bank.retained, *server.retained[0])] == [
        "one and two"
    ] * 2


def test_the_clock_is_a_parameter(tmp_path: Path) -> None:
    with Mnemopi(BANK) as bank, bank.copy(tmp_path / "copy.db") as copy:
        tools.retain(copy, "The zebra crossing is new.", now=NOW)
        (memory,) = [m for m in copy.memories() if "zebra" in m.text]
        assert memory.raw["timestamp"] == NOW
        with pytest.raises(InvalidTime):
            tools.retain(copy, "x", now="noon")


def test_hindsight_queues() -> None:
    server = ToyServer()
    items = ["one", {"content": "two", "context": "chat"}]
    answer = tools.retain(server, items, now=datetime(2026, 3, 1, 9, tzinfo=UTC), session_id="s")
    assert (answer.text, dict(answer.details)) == ("2 memories queued.", {"count": 2})
    dated = {"timestamp": "2026-03-01T09:00:00.000Z"}
    assert server.retained == [
        [
            {"content": "one", "context": "omp", **dated, "metadata": {"session_id": "s"}},
            {"content": "two", "context": "chat", **dated, "metadata": {"session_id": "s"}},
        ]
    ]
    own = Settings.load(hindsight={"retain_context": "lab"})
    assert tools.retain(server, ["three"], settings=own, now=NOW).text == "1 memory queued."
    assert server.retained[1] == [{"content": "three", "context": "lab", "timestamp": NOW}]
    with pytest.raises(InputError, match="only available with the Mnemopi backend"):
        tools.retain(server, [{"content": "x", "scope": "global"}])


def test_hindsight_gets_the_batches_that_the_agents_queue_makes() -> None:
    """The queue sends as soon as it holds 16; what came meanwhile goes together."""
    for count, sizes in ((15, [15]), (16, [16]), (17, [16, 1]), (40, [16, 24])):
        server = ToyServer()
        tools.retain(server, [f"item {number}" for number in range(count)], now=NOW)
        assert [len(batch) for batch in server.retained] == sizes
        sent = [item["content"] for batch in server.retained for item in batch]
        assert sent == [f"item {number}" for number in range(count)]


def test_what_was_taken_before_a_failure_is_said() -> None:
    class Half(ToyServer):
        def retain(self, items: Sequence[Mapping[str, Any]]) -> None:
            if self.retained:
                raise BackendUnavailable("away")
            super().retain(items)

    with pytest.raises(BackendUnavailable) as caught:
        tools.retain(Half(), [str(number) for number in range(20)])
    assert caught.value.__notes__ == ["Items 1 to 16 of 20 were taken before this."]


def test_an_empty_context_is_a_context() -> None:
    server = ToyServer()
    tools.retain(server, [{"content": "x", "context": ""}, {"content": "y", "context": None}])
    assert [item["context"] for item in server.retained[0]] == ["", "omp"]


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "items is empty"),
        (None, "items is a list, not NoneType"),
        (b"x", "items is a list, not bytes"),
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
