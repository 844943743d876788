"""From the story to the bank files."""

from __future__ import annotations

from pathlib import Path

from memlab.mnemopi.engine import Engine

from .asking import Bank, Call, Places
from .settling import seal, settle
from .story import World
from .telling import Teller


def places(world: World, folder: Path) -> Places:
    """Where the banks of a world are below a folder."""
    return Places(folder, world.base, world.scoping, world.prefixes)


def build(world: World, folder: Path) -> list[Bank]:
    """Tell the story to the engine; the banks lie in ``folder`` afterwards."""
    with Engine.start() as engine:
        banks = _tell(engine.call, world, places(world, folder))
    for bank in banks:  # when the engine has ended and lets go of the files
        seal(bank)
    return banks


def _tell(call: Call, world: World, where: Places) -> list[Bank]:
    banks = where.every(call)
    for bank in banks:
        bank.file.parent.mkdir(parents=True, exist_ok=True)
    Teller(call, where).tell(world)
    for bank in banks:
        settle(call, bank, world.now)
    return banks
