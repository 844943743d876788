"""Conversations replayed over a scope: at each place, the banks as they were then."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from memlab import MnemopiScope, Scope, replay
from memlab.sample import sample_world
from tests.autorecall.toys import said

OWN, LEGACY = "team-dispatch-26o84yz56cokc", "team-work-23i4qqpocmc4x"
QUEUE = "which message queue do assignments go through?"
TIMES = [
    datetime(2026, 2, 1, 9, tzinfo=UTC),  # before everything
    datetime(2026, 2, 20, 9, tzinfo=UTC),  # only the legacy bank is there
    datetime(2026, 6, 1, 9, tzinfo=UTC),  # RabbitMQ
    datetime(2026, 10, 1, 9, tzinfo=UTC),  # NATS took its place
]
ASKED = ["where does the prototype keep its orders in MariaDB?", QUEUE, QUEUE, QUEUE]
TALKS = [
    said(prompt, id=f"{time:%B}", times=[time]) for prompt, time in zip(ASKED, TIMES, strict=True)
]


@pytest.fixture
def where() -> Scope:
    world = sample_world()
    return Scope.mnemopi(world.projects[0], world.mode, bank=world.base, path=world.database)


@pytest.fixture
def backend(where: Scope) -> Iterator[MnemopiScope]:
    with MnemopiScope(where) as opened:
        yield opened


def test_a_memory_written_later_is_not_recalled_earlier(backend: MnemopiScope) -> None:
    frame = replay(TALKS, backend, as_of=True).set_index("conversation")
    assert list(frame["outcome"]) == ["empty", "empty", "ok", "ok"]
    june, october = frame.loc["June", "ids"], frame.loc["October", "ids"]
    assert "dis-003" in june
    assert "dis-015" not in june
    assert "dis-015" in october
    assert "dis-003" not in october
    today = {memory.id: str(memory.raw["created_at"]) for memory in backend.memories()}
    for (_, row), time in zip(frame.iterrows(), TIMES, strict=True):
        assert all(today[key] <= f"{time:%Y-%m-%d %H:%M:%S}" for key in row["ids"] if key in today)


def test_without_it_every_place_sees_what_came_later(backend: MnemopiScope) -> None:
    frame = replay(TALKS[2:], backend, now="2026-11-02T09:00:00.000Z")
    assert all("dis-015" in ids for ids in frame["ids"])


def test_each_turn_asks_at_its_own_moment(where: Scope) -> None:
    """The legacy bank alone in February; a scope is opened, and closed, by the replay itself."""
    talk = said(
        "where does the prototype keep its orders in MariaDB?", "On anvil.",
        "the prototype and its orders in MariaDB?", "Still.",
        times=[TIMES[0], TIMES[0], TIMES[1], TIMES[1]],
    )  # fmt: skip
    frame = replay(talk, where, every="user-turn", as_of=True, turns=1)
    assert list(frame["hits"] > 0) == [False, True]
    assert list(frame["outcome"]) == ["empty", "ok"]
    assert set(frame["ids"].iloc[1]) <= {"old-001", "old-002", "old-003"}
    assert "old-002" in frame["ids"].iloc[1]
