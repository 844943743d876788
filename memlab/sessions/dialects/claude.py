"""Logs of Claude Code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..entry import Boundary, Entry, Header, Part
from ..values import first_time, kind_of, mapping, text_of
from .claude_messages import assistant_parts, user_parts

__all__ = ["TYPES", "entries", "header"]

Row = Mapping[str, Any]
Numbered = tuple[int, Row]
Note = Callable[[int, str], None]

CONVERSATION = frozenset({"user", "assistant"})
TYPES = CONVERSATION | {
    "system",
    "summary",
    "ai-title",
    "custom-title",
    "attachment",
    "queue-operation",
    "progress",
    "file-history-snapshot",
}
"""The types this library knows."""


def _last(rows: Sequence[Numbered], kind: str, field: str) -> str | None:
    found = (text_of(row.get(field)) for _, row in reversed(rows) if kind_of(row) == kind)
    return next((title for title in found if title), None)


def _summary(rows: Sequence[Numbered]) -> str | None:
    """A summary is this log's own only if the line it was made of is here."""
    here = {row.get("uuid") for _, row in rows if isinstance(row.get("uuid"), str)}
    own = [
        row
        for _, row in rows
        if kind_of(row) == "summary"
        and isinstance(row.get("leafUuid"), str)
        and row["leafUuid"] in here
    ]
    return text_of(own[-1].get("summary")) if own else None


def header(rows: Sequence[Numbered], note: Note) -> Header:
    """Read what the lines say of their session; there is no header line."""
    spoken = [row for _, row in rows if kind_of(row) in CONVERSATION]
    if not spoken:
        note(1, "no line of a user or an assistant")
    lines = (*spoken, *(row for _, row in rows))

    def field(name: str) -> str | None:
        return next((text for row in lines if (text := text_of(row.get(name)))), None)

    aside = bool(spoken) and all(row.get("isSidechain") is True for row in spoken)
    session = field("sessionId")
    return Header(
        id=(field("agentId") or "" if aside else session) or "",
        version=field("version"),
        cwd=field("cwd"),
        time=first_time(*(row.get("timestamp") for row in spoken[:5])),
        title=_last(rows, "custom-title", "customTitle")
        or _last(rows, "ai-title", "aiTitle")
        or _summary(rows),
        parent=session if aside else None,
        is_subagent=aside,
    )


def _message_key(row: Row, message: Row) -> str | None:
    """Lines of one reply share the ids of message and request."""
    if kind_of(row) != "assistant" or not isinstance(message.get("id"), str):
        return None
    return f"{message['id']} {row.get('requestId')}"


def _notes(row: Row) -> tuple[Part, ...]:
    """The text of the lines that are no messages."""
    fields = {"system": "content", "summary": "summary"}
    fields |= {"ai-title": "aiTitle", "custom-title": "customTitle"}
    text = text_of(row.get(fields.get(kind_of(row), "")))
    if kind_of(row) == "queue-operation" and row.get("operation") == "remove":
        steering = text_of(row.get("content"))
        return (Part("prompt", steering),) if steering else ()
    return (Part("meta", text),) if text else ()


def _parts(row: Row, message: Row, tools: dict[str, str]) -> tuple[Part, ...]:
    if kind_of(row) == "assistant":
        parts = tuple(assistant_parts(row, message))
        tools.update((part.call, part.tool) for part in parts if part.call and part.tool)
        return parts
    if kind_of(row) == "user":
        return tuple(user_parts(row, message, tools))
    return _notes(row)


def _role(kind: str, parts: tuple[Part, ...]) -> str | None:
    if kind in CONVERSATION:
        return kind
    return "user" if any(part.kind == "prompt" for part in parts) else None


def _boundary(row: Row) -> Boundary | None:
    is_one = kind_of(row) == "system" and row.get("subtype") == "compact_boundary"
    return Boundary("compaction") if is_one else None


def _entry(number: int, row: Row, parent: str | None, tools: dict[str, str]) -> Entry:
    message = mapping(row.get("message"))
    name = text_of(row.get("uuid"))
    parts = _parts(row, message, tools)
    kind = kind_of(row)
    return Entry(
        line_no=number,
        type=kind,
        id=name or f"line-{number}",
        parent=parent,
        time=first_time(row.get("timestamp")),
        role=text_of(message.get("role")) or _role(kind, parts),
        parts=parts,
        model=text_of(message.get("model")),
        counted=mapping(message.get("usage")) or None,
        message=_message_key(row, message),
        boundary=_boundary(row),
        shown=kind in CONVERSATION,
        joins=kind not in CONVERSATION | {"system"} or _only_results(parts),
        sidechain=row.get("isSidechain") is True,
        known=kind in TYPES,
        raw=row,
    )


def _only_results(parts: tuple[Part, ...]) -> bool:
    return bool(parts) and all(part.kind == "tool_result" for part in parts)


def _last_lines(rows: Sequence[Numbered]) -> dict[str, int]:
    """Return the place of the last line of each reply."""
    places: dict[str, int] = {}
    for place, (_, row) in enumerate(rows):
        key = _message_key(row, mapping(row.get("message")))
        if key is not None:
            places[key] = place
    return places


def _parent(row: Row) -> str | None:
    return text_of(row.get("parentUuid")) or text_of(row.get("logicalParentUuid"))


def entries(rows: Sequence[Numbered]) -> Iterator[Entry]:
    """Yield the entries in file order; the usage of a reply stands on its last line alone.

    Lines that have no place in the tree follow the line before. So do all lines of a log
    in which no line has a parent that is there: it is a plain list.
    """
    last = _last_lines(rows)
    names = {name for _, row in rows if (name := text_of(row.get("uuid")))}
    is_list = not any(_parent(row) in names for _, row in rows)
    before: dict[bool, str] = {}
    tools: dict[str, str] = {}
    for place, (number, row) in enumerate(rows):
        aside = row.get("isSidechain") is True
        parent = None if is_list else _parent(row)
        if parent is None and (is_list or "parentUuid" not in row):
            parent = before.get(aside)
        entry = _entry(number, row, parent, tools)
        if entry.message is not None and last[entry.message] != place:
            entry = entry._replace(counted=None)
        if "uuid" in row or entry.type in CONVERSATION:
            before[aside] = entry.id
        yield entry
