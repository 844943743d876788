"""What exactly is installed: versions, files and checksums, read from package.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["Pins", "manifest", "pins"]

ENGINE = "@oh-my-pi/pi-mnemopi"


@dataclass(frozen=True, slots=True)
class Pins:
    """The versions memlab was measured against, and what it takes of each.

    ``bun_packages`` maps ``system-machine`` to the npm package of that Bun build;
    ``agent_files`` are paths under the agent's ``src``; ``reveal`` maps an
    installed file to the functions of it that the bridge calls by name;
    ``checksums`` maps ``package@version`` to the checksum of its archive.
    """

    mnemopi: str
    bun: str
    bun_packages: dict[str, str]
    agent_package: str
    agent: str
    agent_files: tuple[str, ...]
    reveal: dict[str, tuple[str, ...]]
    checksums: dict[str, str]

    @property
    def name(self) -> str:
        """The name of the installed folder; other versions get another folder."""
        return f"engine-{self.mnemopi}-agent-{self.agent}-bun-{self.bun}"

    def versions(self) -> dict[str, str]:
        """The versions as the running bridge reports them."""
        return {"mnemopi": self.mnemopi, "agent": self.agent, "bun": self.bun}


@cache
def manifest() -> dict[str, Any]:
    """The package.json that ships with memlab."""
    text = resources.files(__package__).joinpath("package.json").read_text("utf8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def pins() -> Pins:
    """The pinned versions."""
    shipped = manifest()
    own = shipped["memlab"]
    return Pins(
        mnemopi=shipped["dependencies"][ENGINE],
        bun=own["bun"]["version"],
        bun_packages=own["bun"]["packages"],
        agent_package=own["agent"]["package"],
        agent=own["agent"]["version"],
        agent_files=tuple(own["agent"]["files"]),
        reveal={file: tuple(names) for file, names in own["reveal"].items()},
        checksums=own["checksums"],
    )
