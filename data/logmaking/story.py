"""What the logs tell: the events of the world, and what ``logs_story.toml`` adds to them."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from making.story import World, read_world

__all__ = ["Story", "key", "later", "millis", "read_story"]


@dataclass(frozen=True)
class Story:
    """The world, and what is added to it."""

    world: World
    added: dict[str, Any] = field(repr=False)

    def about(self, table: str, name: str) -> Any:
        """What is added for one memory, or None."""
        return self.added[table].get(name)


def read_story(folder: Path) -> Story:
    """Read both."""
    added = tomllib.loads((folder / "logs_story.toml").read_text("utf-8"))
    return Story(read_world(folder / "world"), added)


def key(*parts: object, size: int = 8) -> str:
    """An id that is the same whenever the logs are made."""
    return hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:size]


def later(time: str, seconds: float) -> str:
    """A time some seconds later, or earlier."""
    moment = datetime.fromisoformat(time) + timedelta(seconds=seconds)
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def millis(time: str) -> int:
    """Milliseconds since 1970."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)
