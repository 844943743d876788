"""What is remembered of a started server, in a file that only its owner can read."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

__all__ = ["State", "read_state", "write_state"]


@dataclass(frozen=True)
class State:
    """Where a server listens, what it is, and how it was started.

    ``pid`` and ``started`` name the process: a number alone may be reused.
    """

    port: int
    database_port: int
    llm: str
    version: str
    pid: int = 0
    started: str = ""
    password: str = field(default="", repr=False)

    @property
    def url(self) -> str:
        """Return the server's address."""
        return f"http://127.0.0.1:{self.port}"


def read_state(path: Path) -> State | None:
    """Return what was remembered; None where nothing was, or nothing readable."""
    try:
        return State(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_state(path: Path, state: State) -> None:
    """Remember; the file appears whole, readable for its owner only."""
    fresh = path.with_suffix(".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
        json.dump(asdict(state), handle)
    fresh.replace(path)
