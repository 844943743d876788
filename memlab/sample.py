"""The sample world: where its banks and its labelled questions lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .errors import BankNotFound
from .models.scope.value import Mode

__all__ = ["NOW", "World", "sample_world"]

NOW = "2026-11-02T09:00:00.000Z"
"""The instant at which the sample world is looked at."""

_PLACES = (Path(__file__).parent / "data", Path(__file__).parent.parent / "data")


@dataclass(frozen=True)
class World:
    """The sample world on disk, and the settings of the agent that made it.

    ``database`` is the shared bank's file; ``base``, ``mode`` and the working
    directories in ``projects`` are those of its agent.
    """

    folder: Path
    now: str = NOW
    base: str = "team"
    mode: Mode = "per-project-tagged"
    projects: tuple[str, ...] = (
        "/home/mira/work/dispatch",
        "/home/mira/work/solanum",
        "/home/mira/work/kolofon",
    )

    @property
    def database(self) -> Path:
        """Return the shared bank's file."""
        return self.folder / "banks" / "mnemopi.db"

    @property
    def cases(self) -> Path:
        """Return the file of labelled questions."""
        return self.folder / "cases" / "world.jsonl"

    def bank(self, name: str) -> Path:
        """Return the file of a bank by its name."""
        if name == self.base:
            return self.database
        return self.folder / "banks" / "banks" / name / "mnemopi.db"

    def banks(self) -> dict[str, Path]:
        """Return every bank's file by name: the shared one, then the projects'."""
        found = sorted((self.folder / "banks" / "banks").iterdir())
        return {name: self.bank(name) for name in [self.base, *(path.name for path in found)]}


def sample_world() -> World:
    """Find the sample world, beside the package or in it; raise BankNotFound where it is missing."""
    for place in _PLACES:
        if (place / "banks" / "mnemopi.db").is_file():
            return World(place)
    looked = " and ".join(str(place) for place in _PLACES)
    raise BankNotFound(
        f"The sample world is not installed (looked in {looked}). "
        "Name a bank of your own: memlab demo PATH."
    )
