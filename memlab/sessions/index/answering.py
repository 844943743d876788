"""Documents of the index as memories, hits as recalls: what makes it a backend."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...models import Hit, Memory, Outcome, Recall
from ...text.dates import iso_millis
from ...text.javascript import length, well_formed
from ..entry import moment
from ..pify.texts import hits_text
from .filters import Filters
from .hits import SearchHits, SessionHit
from .options import SearchOptions
from .schema import loaded

__all__ = ["SessionRecall", "as_recall", "digest", "memories"]

TIER = "session"
_NAMES = (
    "session",
    "line",
    "text",
    "time",
    "role",
    "session_id",
    "agent",
    "cwd",
    "path",
    "entry",
    "active",
    "is_subagent",
    "title",
    "file",
)
_DOCS = (
    "SELECT f.session, d.line, d.text, d.time, d.role, f.session_id, f.agent, f.cwd, f.path, "
    "d.entry, d.active, f.is_subagent, ifnull(d.title, f.title), f.id "
    "FROM docs d JOIN files f ON f.id = d.file WHERE d.number IS NOT NULL"
)


@dataclass(frozen=True, repr=False)
class SessionRecall(Recall):
    """What a search of session logs answered; ``text`` is the tool's own, to the letter."""

    found: SearchHits | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """Return what the tool ``session_search`` shows for these hits."""
        return hits_text(self.query, self.found or ())


def _hit(hit: SessionHit) -> Hit:
    raw = {
        "session": hit.session,
        "session_id": hit.session_id,
        "title": hit.title,
        "line": hit.line_no,
        "path": hit.path,
        "cwd": hit.cwd,
        "role": hit.role,
        "field": hit.field,
        "snippet": hit.snippet,
    }
    return Hit(
        rank=hit.rank,
        id=hit.id,
        text=well_formed(hit.text),
        score=hit.score,
        tier=TIER,
        source=f"{hit.agent}:{hit.role}",
        timestamp=iso_millis(hit.at) if hit.at else None,
        scores={"matched": float(hit.matched)},
        raw=raw,
    )


def as_recall(
    found: SearchHits, name: str, options: SearchOptions, seconds: float
) -> SessionRecall:
    """Return the answer to a query in the form of all backends."""
    return SessionRecall(
        query=found.query,
        hits=tuple(_hit(hit) for hit in found),
        outcome=Outcome.OK if len(found) else Outcome.EMPTY,
        backend=name,
        options=options.model_dump(),
        seconds=seconds,
        found=found,
    )


def memories(
    connection: sqlite3.Connection, filters: Filters, keys: Mapping[int, str]
) -> Iterator[Memory]:
    """Yield the documents that the ranking "pify" sees, each as a memory."""
    condition, values = filters.condition()
    for row in connection.execute(f"{_DOCS}{condition} ORDER BY d.number", values):
        cells = [loaded(cell) if isinstance(cell, (str, bytes)) else cell for cell in row]
        fields: dict[str, Any] = dict(zip(_NAMES, cells, strict=True))
        yield _memory(fields, keys[fields.pop("file")])


def _memory(row: dict[str, Any], key: str) -> Memory:
    text = well_formed(row["text"])
    at = moment(row["time"]) if row["time"] else None
    return Memory(
        id=f"{key}#{row['line']}",
        text=text,
        tier=TIER,
        state="live" if row["active"] else "abandoned",
        time=at,
        type=row["role"],
        source=f"{row['agent']}:{row['role']}",
        session=row["session_id"],
        chars=length(text),
        created=at,
        metadata={name: row[name] for name in ("cwd", "path", "entry", "title", "is_subagent")},
        raw=row,
    )


def digest(connection: sqlite3.Connection) -> str:
    """Return 24 hexadecimal digits that stand for all documents of an index."""
    total = hashlib.sha256()
    for row in connection.execute(
        "SELECT f.session, d.line, d.role, d.time, d.text, d.thinking, d.tool_input, "
        "d.tool_result, d.meta FROM docs d JOIN files f ON f.id = d.file ORDER BY 1, 2, d.id"
    ):
        total.update(repr(row).encode("utf-8", "backslashreplace"))
    return total.hexdigest()[:24]
