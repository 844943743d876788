"""The story as it is written down: one event per line, in files under ``world/``."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Event:
    """One line of the story: when, what, and the fields of that kind of event."""

    time: str
    op: str
    fields: dict[str, Any]
    session: Session

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def get(self, name: str, default: Any = None) -> Any:
        """A field that an event may leave out."""
        return self.fields.get(name, default)


@dataclass(frozen=True)
class Session:
    """One session of the agent: its id and directory.

    ``root`` is the directory that names the bank. It is ``cwd`` but for the
    first sessions, when the agent still took the root of the repository.
    """

    id: str
    cwd: str
    root: str


@dataclass(frozen=True)
class World:
    """The frame of the story and its events in order of time."""

    now: str
    base: str
    scoping: str
    prefixes: dict[str, str]
    events: tuple[Event, ...]


def read_world(folder: Path) -> World:
    """Read ``world.toml`` and every ``*.jsonl`` beside it."""
    frame = tomllib.loads((folder / "world.toml").read_text("utf-8"))
    events = [event for path in sorted(folder.glob("*.jsonl")) for event in _read_events(path)]
    events.sort(key=lambda event: event.time)
    return World(frame["now"], frame["base"], frame["scoping"], frame["prefixes"], tuple(events))


def _read_events(path: Path) -> list[Event]:
    """The events of one file; each belongs to the session that was started last."""
    events: list[Event] = []
    session: Session | None = None
    for line in path.read_text("utf-8").split("\n"):
        if not line:
            continue
        fields = json.loads(line)
        if fields["op"] == "start":
            session = Session(fields["session"], fields["cwd"], fields.get("root", fields["cwd"]))
        if session is None:
            raise ValueError(f"{path.name}: the first event must start a session")
        events.append(Event(fields.pop("time"), fields.pop("op"), fields, session))
    return events
