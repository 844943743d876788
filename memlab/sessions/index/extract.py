"""One log as documents: which lines are searched, and by which fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..dialects import Agent, dialect_of
from ..entry import Entry, Header, Kind
from ..frames import project_of
from ..lines import read_lines
from ..pify.documents import Document, claude_document, document, info_name
from ..pify.titles import claude_title, first_typed, title_of
from ..pify.units import head
from ..places import looks_like_subagent
from ..problems import Problem
from ..reading import told_agent
from ..tree import grow
from .schema import FIELDS

__all__ = ["Doc", "LogDocs", "read_docs"]

Row = Mapping[str, Any]
Reader = Callable[[object], Document | None]

# Notes (kind meta: names of models, titles) are not searched line by line.
_FIELD_OF: Mapping[Kind, int] = {
    "prompt": 0,
    "reply": 0,
    "thinking": 1,
    "tool_call": 2,
    "tool_result": 3,
    "bash": 3,
    "summary": 4,
    "injected": 4,
}
_NOTHING: tuple[str | None, ...] = (None,) * len(FIELDS)


class Doc(NamedTuple):
    """One line of a log as a document.

    ``said`` is its text for the ranking "pify", cut, or None if that does not see the line.
    ``fields`` are the texts of the fields, cut likewise.
    """

    line: int
    entry: str | None
    role: str | None
    time: float
    active: bool
    said: str | None
    fields: tuple[str | None, ...]
    title: str | None = None


class LogDocs(NamedTuple):
    """A log and its documents in file order."""

    session: str
    title: str | None
    session_id: str
    agent: Agent
    cwd: str | None
    project: str | None
    is_subagent: bool
    problems: Sequence[Problem]
    docs: Sequence[Doc]


def _fields(entry: Entry, size: float) -> tuple[str | None, ...]:
    if not entry.parts:
        return _NOTHING
    texts: list[str | None] = [None] * len(FIELDS)
    for part in entry.parts:
        at = _FIELD_OF.get(part.kind)
        text = f"{part.tool} {part.text}" if part.kind == "tool_call" else part.text
        if text and at is not None:
            before = texts[at]
            texts[at] = text if before is None else f"{before}\n{text}"
    if not any(texts):
        return _NOTHING
    return tuple([None if text is None else head(text, size) for text in texts])


def session_name(path: str) -> str:
    """Return the file name without ``.jsonl``, by which the tools call a session."""
    return path.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".jsonl")


def _title(
    agent: Agent, named: str | None, rows: Sequence[Row], said: Sequence[Document], session: str
) -> str | None:
    """The label that the extension shows."""
    if agent == "claude":
        return claude_title((one.text for one in said if one.role == "user"), session)
    return named or title_of(first_typed(rows)) or None


def _named(rows: Sequence[Row]) -> str | None:
    """The last name that was written, which a later blank one does not clear."""
    return next(
        (
            name
            for row in reversed(rows)
            if row.get("type") == "session_info" and (name := info_name(row))
        ),
        None,
    )


def _docs(
    rows: Sequence[tuple[int, Row]], entries: Sequence[Entry], reader: Reader, size: float
) -> Iterator[tuple[Doc, Document | None]]:
    active = grow(entries).active
    placed = {entry.line_no: place for place, entry in enumerate(entries)}
    for number, row in rows:
        said = reader(row)
        place = placed.get(number)
        entry = None if place is None else entries[place]
        fields = _NOTHING if entry is None else _fields(entry, size)
        if said is None and fields is _NOTHING:
            continue
        yield (
            Doc(
                line=number,
                entry=entry.id if entry else None,
                role=said.role if said else (entry and (entry.role or entry.type)),
                time=said.time if said else (entry and entry.time) or 0,
                active=place is None or active[place],
                said=None if said is None else head(said.text, size),
                fields=fields,
            ),
            said,
        )


def _session_doc(header: Header, title: str | None, session: str, entries: Sequence[Entry]) -> Doc:
    """The session itself as a document, on line 0: titles, labels, where it ran, its name."""
    labels = (entry.text("meta") for entry in entries if entry.type == "label")
    parts = (title, header.title, *labels, header.cwd, session)
    text = "\n".join(dict.fromkeys(part for part in parts if part))
    return Doc(0, None, "session", header.time or 0, True, None, (None, None, None, None, text))


def read_docs(path: Path, agent: Agent | None, size: float) -> LogDocs:
    """Read a log as documents; of each text the first ``size`` UTF-16 units are kept.

    Raises OSError if the file cannot be opened.
    """
    problems: list[Problem] = []
    rows = [(n, value) for n, value in read_lines(path, problems) if isinstance(value, dict)]
    told = agent or told_agent(rows, path)
    reader = claude_document if told == "claude" else document
    header = dialect_of(told).header(rows, lambda line, why: None)  # noqa: ARG005
    entries = list(dialect_of(told).entries(rows))
    pairs = list(_docs(rows, entries, reader, size))
    said = [one for _, one in pairs if one is not None]
    session = session_name(str(path))
    values = [row for _, row in rows]
    named = _named(values)
    title = _title(told, named, values, said, session)
    docs = [doc for doc, _ in pairs]
    if docs:
        docs.append(_session_doc(header, named, session, entries))
    return LogDocs(
        session=session,
        title=title,
        session_id=header.id or session,
        agent=told,
        cwd=header.cwd,
        project=project_of(header.cwd),
        is_subagent=header.is_subagent or looks_like_subagent(path),
        problems=problems,
        docs=docs,
    )
