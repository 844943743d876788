"""The sample world, opened once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlab import Cases, Mnemopi

DATA = Path(__file__).parents[2] / "data"
NOW = "2026-11-02T09:00:00.000Z"


def open_world() -> dict[str, Mnemopi]:
    folders = sorted((DATA / "banks" / "banks").iterdir())
    banks = {"team": Mnemopi(DATA / "banks" / "mnemopi.db")}
    return banks | {folder.name: Mnemopi(folder / "mnemopi.db") for folder in folders}


@pytest.fixture(scope="session")
def world_cases() -> Cases:
    return Cases.load(DATA / "cases" / "world.jsonl")


@pytest.fixture(scope="session")
def world_banks() -> Iterator[dict[str, Mnemopi]]:
    banks = open_world()
    yield banks
    for bank in banks.values():
        bank.close()


@pytest.fixture(scope="session")
def now() -> str:
    return NOW
