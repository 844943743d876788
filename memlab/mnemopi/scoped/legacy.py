"""The agent's search for legacy banks: those beside its own that hold one directory only."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...errors import BankError
from ...models import LegacyBank
from ...models.scope.places import DATABASE
from ...text.javascript import well_formed
from ..snapshot import Snapshot
from .peek import peek

__all__ = ["LEGACY_LIMIT", "find_legacy_banks", "judged_by_rows", "names_directory"]

LEGACY_LIMIT = 64
"""How many banks the agent looks at."""

_COUNTS = (
    "SELECT count(*),"
    " sum(json_extract(metadata_json, '$.cwd') = ?),"
    " sum(json_extract(metadata_json, '$.cwd') IS NULL)"
    " FROM working_memory"
)


def find_legacy_banks(path: Path, cwd: str, known: Sequence[str]) -> tuple[LegacyBank, ...]:
    """Look through the banks beside ``path`` as the agent does when it starts.

    A bank is taken if its working memory has rows and every one of them, of
    any session and state, names ``cwd`` in its metadata. Banks in ``known``
    are left out, and whatever goes wrong with one is the reason to skip it.
    The order is that of the folder; after 64 banks the agent looks no further.
    """
    names = [name for name in _folders(path.parent / "banks") if name not in set(known)]
    return tuple(
        _judged(name, path.parent / "banks" / name / DATABASE, cwd, place)
        for place, name in enumerate(names)
    )


def _folders(banks: Path) -> Iterator[str]:
    try:
        with os.scandir(banks) as entries:
            yield from (entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:  # no folder, or none that may be read: the agent looks at none
        return


def _judged(name: str, file: Path, cwd: str, place: int) -> LegacyBank:
    if place >= LEGACY_LIMIT:
        reason = f"not looked at: the agent stops after {LEGACY_LIMIT} banks"
        return LegacyBank(name, file, False, reason)
    try:
        total, own, unmarked = peek(file, _COUNTS, (well_formed(cwd),))
    except BankError as error:
        return LegacyBank(name, file, False, _failure(error))
    return _verdict(name, file, total, own, unmarked)


def judged_by_rows(bank: LegacyBank, snapshot: Snapshot, cwd: str) -> LegacyBank:
    """Judge a bank anew by the rows of a copy: one that was turned back, say."""
    try:
        row = snapshot.connection.execute(_COUNTS, (well_formed(cwd),)).fetchone()
    except sqlite3.Error as error:
        return replace(bank, taken=False, reason=f"cannot be judged: {error}")
    return _verdict(bank.name, bank.path, *row)


def names_directory(file: Path, cwd: str) -> bool:
    """Tell whether any working memory of a bank names a directory; False for no readable bank."""
    try:
        return bool(peek(file, _COUNTS, (well_formed(cwd),))[1])
    except BankError:
        return False


def _verdict(name: str, file: Path, total: int, own: int | None, unmarked: int) -> LegacyBank:
    if not total:
        return LegacyBank(name, file, False, "has no working memory, so it names no directory")
    if own == total:
        return LegacyBank(
            name, file, True, f"names this directory only, in {total} of {total} rows"
        )
    other = total - (own or 0) - unmarked
    parts = [f"another directory in {other}"] if other else []
    parts += [f"none in {unmarked}"] if unmarked else []
    return LegacyBank(name, file, False, f"names {' and '.join(parts)} of {total} rows")


def _failure(error: BankError) -> str:
    cause = str(error.__cause__ or "")
    if "no such table" in cause:
        return "is not a Mnemopi bank: it has no working memory"
    if "malformed JSON" in cause:
        return "has metadata that is not JSON, on which the agent's search fails"
    return f"cannot be read: {error}"
