"""Where the logs of an index come from, and its caps: kept in the index itself."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Self

from ..finding import Found, find_logs
from ..logs import Root, SessionLogs
from ..places import looks_like_subagent
from .location import connect
from .sync import Candidate, Caps

__all__ = ["Origin", "Source"]

Source = SessionLogs | str | Path | Iterable[str | Path | SessionLogs]


class Origin(NamedTuple):
    """Folders of logs, and the limits of the index."""

    roots: tuple[Root, ...]
    caps: Caps
    sub_agents: bool = True

    @classmethod
    def of(cls, source: Source, caps: Caps) -> Self:
        """Take what ``SessionLogs`` takes, or one of them."""
        logs = source if isinstance(source, SessionLogs) else SessionLogs(source)
        return cls(logs.roots, caps, logs.sub_agents)

    def files(self) -> list[Candidate]:
        """List the logs there are now, each once."""
        seen: dict[str, Candidate] = {}
        for root in self.roots:
            for found in _listed(root, self.caps.max_depth):
                if self.sub_agents or not looks_like_subagent(Path(found.path)):
                    seen.setdefault(found.path, (found, root.agent))
        return list(seen.values())

    def keep(self, connection: sqlite3.Connection) -> None:
        """Write it into the index."""
        roots = [(str(root.path.absolute()), root.agent) for root in self.roots]
        caps = {name: str(value) for name, value in self.caps._asdict().items()}
        text = json.dumps({"roots": roots, "caps": caps, "sub_agents": self.sub_agents})
        connection.execute("INSERT OR REPLACE INTO settings VALUES('origin', ?)", (text,))

    @classmethod
    def kept(cls, connection: sqlite3.Connection) -> Self | None:
        """Read it from an index, or None if that was not made of logs."""
        row = connection.execute("SELECT value FROM settings WHERE name = 'origin'").fetchone()
        if row is None:
            return None
        data = json.loads(row[0])
        roots = tuple(Root(Path(path), agent) for path, agent in data["roots"])
        caps = {name: float(value) for name, value in data["caps"].items()}
        return cls(roots, Caps(**caps), data["sub_agents"])

    @classmethod
    def remembered(cls, path: Path) -> Self | None:
        """Read it from an index that cannot be used otherwise, if that is still possible."""
        try:
            with closing(connect(str(path))) as connection:
                return cls.kept(connection)
        except (sqlite3.Error, ValueError, KeyError, TypeError):
            return None


def _listed(root: Root, depth: float) -> Iterator[Found]:
    if not root.path.is_file():
        yield from find_logs(root.path.absolute(), depth=depth, max_bytes=float("inf"))
        return
    try:
        stat = root.path.stat()
    except OSError:  # gone at this moment
        return
    yield Found(str(root.path.absolute()), stat.st_size, stat.st_mtime_ns)
