"""Throw-away copies of banks, so that the engine never opens an original."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from ...errors import BankDamaged, BankEncrypted, InputError, NotABank
from ..files import DATABASE, memory_copy

__all__ = ["bank_name", "copy_bank", "copy_scope"]

# How long to wait for another process's lock, in seconds.
_WAIT = 5.0
_NAMES = ("bank", "baseBank", "globalBank", "retainBank")


def bank_name(path: Path) -> str:
    """The bank's name by the agent's layout: ``banks/<name>/mnemopi.db``, else ``default``."""
    folder = Path(path).absolute().parent
    return folder.name if folder.parent.name == "banks" else "default"


def copy_bank(source: Path, target: Path) -> Path:
    """Copy a bank by SQLite's backup: one consistent state, also while somebody writes.

    Raises an error of the BankError family for anything that is not a readable bank.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        closing(memory_copy(Path(source), _WAIT)) as memory,
        closing(sqlite3.connect(target)) as disk,
    ):
        memory.backup(disk)
    return target


def copy_scope(config: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Copy the banks of an agent's scope into a folder, in the agent's layout.

    Gives the config with ``dbPath`` in that folder. A bank that is not there
    stays absent; a file that is no readable bank is copied as it is, so that
    the engine fails on it as it would have failed on the original.
    """
    shared = Path(config["dbPath"])
    names = {config[key] for key in _NAMES if config.get(key)} | set(config.get("recallBanks", ()))
    folder.mkdir(parents=True, exist_ok=True)
    _copy_as_it_is(shared, folder / shared.name)
    _copy_as_it_is(shared.parent / DATABASE, folder / DATABASE)
    for name in sorted(names):
        if Path(name).name != name:
            raise InputError(f"{name!r} is not a bank name: it holds a path.")
        inside = Path("banks", name, DATABASE)
        _copy_as_it_is(shared.parent / inside, folder / inside)
    return {**config, "dbPath": str(folder / shared.name)}


def _copy_as_it_is(source: Path, target: Path) -> None:
    if not source.exists() or target.exists():
        return
    try:
        copy_bank(source, target)
    except (NotABank, BankDamaged, BankEncrypted):
        if source.is_file():
            shutil.copyfile(source, target)
