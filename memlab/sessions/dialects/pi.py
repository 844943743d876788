"""Logs of pi (versions 1 to 3) and of oh-my-pi, which grew out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...text.javascript import trim
from ..entry import Boundary, Entry, Header
from ..values import first_time, kind_of, mapping, text_of, whole
from .pi_entries import MADE_FOR_MODEL, entry_parts
from .pi_messages import message_parts

__all__ = ["entries", "header"]

Row = Mapping[str, Any]
Numbered = tuple[int, Row]
HEAD = 20
Note = Callable[[int, str], None]


def _is_header(row: Row) -> bool:
    return row.get("type") == "session" and isinstance(row.get("id"), str)


def _heads(row: Row) -> bool:
    """Tell whether a line is the header, or the title slot before it."""
    return row["type"] == "title" or isinstance(row.get("id"), str)


def _is_subagent(rows: Sequence[Numbered]) -> bool:
    """A sub-agent's task stands right behind its header."""
    return any(row.get("type") == "session_init" for _, row in rows[:HEAD])


def _without_prompts(entry: Entry) -> Entry:
    """What a sub-agent is told comes from its parent: no person typed it."""
    if entry.role != "user":
        return entry
    told = (
        part._replace(kind="injected") if part.kind == "prompt" else part for part in entry.parts
    )
    return entry._replace(parts=tuple(told))


def _filled(value: object) -> str | None:
    return trim(value) or None if isinstance(value, str) else None


def _slot_title(rows: Sequence[Numbered]) -> tuple[str | None, bool]:
    """Return the title of oh-my-pi's slot on the first line, and whether there is a slot."""
    row = rows[0][1] if rows else {}
    return _filled(row.get("title")), kind_of(row) == "title"


def _title(rows: Sequence[Numbered], found: Row) -> str | None:
    """A slot wins, then the last name given, then the header's."""
    title, has_slot = _slot_title(rows)
    if has_slot:
        return title
    for _, row in reversed(rows):
        if row.get("type") in ("session_info", "title_change"):
            return _filled(row.get("name" if row["type"] == "session_info" else "title"))
    return _filled(found.get("title"))


def header(rows: Sequence[Numbered], note: Note) -> Header:
    """Read the header; without a usable one, note it and take what the entries say."""
    place = next((at for at, (_, row) in enumerate(rows) if _is_header(row)), None)
    _, has_slot = _slot_title(rows)
    if place is None:
        note(1, "no header: pi takes such a file for no session")
    elif place != has_slot:
        note(rows[place][0], "the header is not where it belongs; pi takes the file for no session")
    found = {} if place is None else rows[place][1]
    version = whole(found.get("version"))
    return Header(
        id=text_of(found.get("id")) or "",
        version=str(1 if version is None else version) if found else None,
        cwd=text_of(found.get("cwd")),
        time=first_time(found.get("timestamp")),
        title=_title(rows, found),
        parent=text_of(found.get("parentSession")) or text_of(found.get("branchedFrom")),
        is_subagent=_is_subagent(rows),
    )


def _boundary(row: Row, ids: Sequence[str]) -> Boundary | None:
    if row.get("type") == "reset_boundary":
        return Boundary("reset")
    if row.get("type") != "compaction":
        return None
    kept = text_of(row.get("firstKeptEntryId"))
    index = whole(row.get("firstKeptEntryIndex"))
    if kept is None and index is not None and 0 <= index < len(ids):
        kept = ids[index]  # an index into all lines, the header being 0
    return Boundary("compaction", kept)


def _message(row: Row) -> Row | None:
    """Return what was said: in the oldest logs the line itself is the message."""
    inner = row.get("message")
    if isinstance(inner, dict):
        return inner
    return None if "type" in row else row


def _entry(number: int, row: Row, name: str, before: str | None, ids: Sequence[str]) -> Entry:
    kind, message = kind_of(row), _message(row)
    parent = text_of(row.get("parentId", before))
    if message is not None and kind in ("message", ""):
        parts = message_parts(message)
        return Entry(
            number,
            "message",
            name,
            parent,
            first_time(row.get("timestamp"), message.get("timestamp")),
            role=text_of(message.get("role")),
            parts=parts or (),
            model=text_of(message.get("model")),
            counted=mapping(message.get("usage")) or None,
            shown=message.get("excludeFromContext") is not True,
            known=parts is not None,
            raw=row,
        )
    parts = entry_parts(row)
    return Entry(
        number,
        kind,
        name,
        parent,
        first_time(row.get("timestamp")),
        parts=parts or (),
        boundary=_boundary(row, ids),
        shown=kind in MADE_FOR_MODEL,
        known=parts is not None,
        raw=row,
    )


def entries(rows: Sequence[Numbered]) -> Iterator[Entry]:
    """Yield the entries in file order, without header and title slot.

    Entries without an id get one of their line; without a parent field they follow the
    line before, as in version 1.
    """
    ids = [text_of(row.get("id")) or f"line-{number}" for number, row in rows]
    aside = _is_subagent(rows)
    before: str | None = None
    for (number, row), name in zip(rows, ids, strict=True):
        if row.get("type") in ("session", "title") and _heads(row):
            continue
        entry = _entry(number, row, name, before, ids)
        yield _without_prompts(entry) if aside else entry
        before = name
