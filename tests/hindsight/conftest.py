"""A real server for the whole run, and a bank of its own for each test."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memlab.hindsight import Hindsight
from memlab.hindsight import server as servers
from memlab.hindsight.server.places import place
from memlab.hindsight.server.running import Server
from memlab.settings import Settings
from memlab.testing.hindsight import FakeHindsight

Open = Callable[..., Hindsight]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _sweep(kind: str) -> None:
    """Take down what runs that were killed have left."""
    home = place("any").folder.parent
    for folder in home.glob(f"{kind}-*"):
        number = folder.name.rpartition("-")[2]
        if folder.is_dir() and number.isdigit() and not _alive(int(number)):
            servers.down(folder.name, wipe=True)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The real server, with its stand-in for a language model.

    If it cannot be installed or started, the tests fail with the reason.
    """
    _sweep("tests")
    name = f"tests-{os.getpid()}"
    found = servers.up(name, llm="mock", port=None)
    try:
        yield found
    finally:
        servers.down(name, wipe=True)


@pytest.fixture(scope="session")
def opened(server: Server) -> Iterator[Open]:
    """Opens banks on the server, and closes them at the end."""
    kept: list[Hindsight] = []
    settings = Settings.load()

    def open_bank(bank: str | None = None, **options: object) -> Hindsight:
        given = {"url": server.url, "token": "", "settings": settings, "writable": True, **options}
        found = Hindsight(bank or f"bank-{uuid.uuid4().hex[:12]}", **given)  # type: ignore[arg-type]
        kept.append(found)
        return found

    yield open_bank
    for one in kept:
        one.close()


@pytest.fixture
def fresh(opened: Open) -> Hindsight:
    """A new bank without observations of its own, open for writing."""
    found = opened()
    found.create_bank(enable_observations=False)
    return found


@pytest.fixture(scope="session")
def town(opened: Open) -> Hindsight:
    """A small bank with facts of all three types, tags, dates and entities; not to be changed."""
    found = opened("town")
    found.create_bank(enable_observations=False)
    found.import_facts(DOCUMENTS, OBSERVATIONS)
    return found


def fact(text: str, day: int, **more: object) -> dict[str, object]:
    return {
        "text": text,
        "mentioned_at": f"2026-0{1 + day // 28}-{1 + day % 28:02}T09:00:00Z",
        **more,
    }


DOCUMENTS: list[dict[str, object]] = [
    {
        "id": "alice", "tags": ["user:alice"], "facts": [
            fact("Alice moved to Zurich for a new job at a bank.", 3, entities=["Alice", "Zurich"],
                 occurred_start="2026-01-02T00:00:00Z", metadata={"source_key": "a1"}),
            fact("I booked a flight to Zurich for Alice.", 4, type="experience",
                 entities=["Alice", "Zurich"]),
        ],
    },
    {"id": "bob", "tags": ["user:bob"], "facts": [
        fact("Bob paints his garden fence blue every spring.", 40, entities=["Bob"])]},
    {"id": "notes/team", "tags": ["user:alice", "team"], "facts": [
        fact("Alice leads the team that builds the blue garden door.", 80,
             entities=["Alice"])]},
    {"id": "policy", "facts": [fact("Nobody works on the garden on Fridays.", 120)]},
]  # fmt: skip
OBSERVATIONS: list[dict[str, object]] = [
    {"text": "Alice lives in Zurich.", "tags": ["user:alice"], "mentioned_at": "2026-02-01T09:00:00Z",
     "sources": [("alice", 0), ("alice", 1)]},
]  # fmt: skip


@pytest.fixture
def fake() -> FakeHindsight:
    return FakeHindsight()


@pytest.fixture
def recordings() -> Path:
    return Path(__file__).parents[2] / "data" / "recordings"


def until(happened: Callable[[], bool], patience: float = 120.0) -> None:
    """Wait for what a busy machine may take its time for."""
    deadline = time.monotonic() + patience
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
