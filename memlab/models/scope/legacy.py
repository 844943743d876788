"""Legacy banks: what the agent's search for them found, and who does the search.

Earlier agents named banks by other rules. A newer one therefore looks through
the banks beside its own for such that hold memories of the current directory
only, and recalls from them too. The search reads SQLite, which this layer does
not; :mod:`memlab.mnemopi` brings it, and does so whenever memlab is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

__all__ = ["LegacyBank", "LegacySearch", "bring_search", "search_legacy"]


@dataclass(frozen=True, slots=True)
class LegacyBank:
    """A bank that the search looked at: recalled from (``taken``) or skipped, and why."""

    name: str
    path: Path
    taken: bool
    reason: str


class LegacySearch(Protocol):
    """A search through the banks beside ``path`` for those of the directory ``cwd`` alone."""

    def __call__(self, path: Path, cwd: str, known: Sequence[str]) -> tuple[LegacyBank, ...]:
        """Return every bank looked at, in the order of the folder; ``known`` are left out."""
        ...


_brought: list[LegacySearch] = []


def bring_search(search: LegacySearch) -> None:
    """Say who searches for legacy banks; the last one brought does."""
    _brought[:] = [search]


def search_legacy(path: Path, cwd: str, known: Sequence[str]) -> tuple[LegacyBank, ...]:
    """Search for legacy banks with the search that was brought."""
    return _brought[0](path, cwd, known)
