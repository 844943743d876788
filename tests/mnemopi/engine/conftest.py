"""The real engine, and a small bank made by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memlab.mnemopi.engine import Engine
from tests.parity.engine import engine as real_engine

NOW = "2026-03-01T12:00:00.000Z"
TEXTS = {
    "m1": "We deploy the heron service on Fridays.",
    "m2": "The database password rotates every month.",
    "m3": "Iris prefers short deploy notes.",
}


@pytest.fixture(scope="session")
def engine() -> Engine:
    """The installed engine; it is installed now if it is missing."""
    return real_engine()


@pytest.fixture
def bank(engine: Engine, tmp_path: Path) -> Path:
    """A bank named heron with three memories, closed."""
    path = tmp_path / "banks" / "heron" / "mnemopi.db"
    fill(engine, path, "heron")
    return path


def fill(engine: Engine, path: Path, name: str) -> None:
    """Write the three memories into a new bank."""
    for memory_id, content in TEXTS.items():
        options = {"memoryId": memory_id, "scope": "bank"}
        engine.call("beamRemember", db=path, bank=name, now=NOW, content=content, options=options)
    engine.call("close", prefix=str(path))


@pytest.fixture
def fake_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Engine]:
    """An engine whose Bun is a shell script: faults that the real one cannot be made to have."""

    def make(script: str) -> Engine:
        program = tmp_path / "fake-bun"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr("memlab.mnemopi.engine.conversation.bun", lambda folder: program)
        return Engine(tmp_path, timeout=10)

    return make
