"""The sample bank that the explorers are tried on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlab import Mnemopi

DISPATCH = "team-dispatch-26o84yz56cokc"
BANKS = Path(__file__).parents[2] / "data" / "banks"
NOW = "2026-11-02T09:00:00.000Z"


@pytest.fixture
def bank() -> Iterator[Mnemopi]:
    """The bank of the project dispatch."""
    with Mnemopi(BANKS / "banks" / DISPATCH / "mnemopi.db") as opened:
        yield opened
