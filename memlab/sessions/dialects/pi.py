"""Logs of pi (versions 1 to 3) and of oh-my-pi, which grew out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...text.javascript import trim
from ..entry import Boundary, Entry, Header
from ..values import first_time, kind_of, text_of, whole
from .pi_entries import MADE_FOR_MODEL, entry_parts
from .pi_messages import message_parts, message_usage

__all__ = ["entries", "header"]

Row = Mapping[str, Any]
Numbered = tuple[int, Row]
Note = Callable[[int, str], None]


def _is_header(row: Row) -> bool:
    return kind_of(row) == "session" and isinstance(row.get("id"), str)


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
    fields = {"session_info": "name", "title_change": "title"}
    for _, row in reversed(rows):
        if kind_of(row) in fields:
            return _filled(row.get(fields[kind_of(row)]))
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
        is_subagent=any(kind_of(row) == "session_init" for _, row in rows),
    )


def _boundary(row: Row, ids: Sequence[str]) -> Boundary | None:
    if kind_of(row) == "reset_boundary":
        return Boundary("reset")
    if kind_of(row) != "compaction":
        return None
    kept = text_of(row.get("firstKeptEntryId"))
    index = whole(row.get("firstKeptEntryIndex"))
    if kept is None and index is not None and 0 <= index < len(ids):
        kept = ids[index]  # an index into all lines, the header being 0
    return Boundary("compaction", kept)


def _shown(row: Row, message: Row) -> bool:
    if kind_of(row) in MADE_FOR_MODEL or "type" not in row:
        return message.get("excludeFromContext") is not True
    return False


def _entry(number: int, row: Row, name: str, before: str | None, ids: Sequence[str]) -> Entry:
    inner = row.get("message")
    message = inner if isinstance(inner, dict) else (row if "type" not in row else {})
    kind = kind_of(row) or ("message" if message else "")
    parts = message_parts(message) if kind == "message" else entry_parts(row)
    parent = row.get("parentId", before)
    return Entry(
        line_no=number,
        type=kind,
        id=name,
        parent=text_of(parent),
        time=first_time(row.get("timestamp"), message.get("timestamp")),
        role=text_of(message.get("role")),
        parts=parts or (),
        model=text_of(message.get("model")),
        usage=message_usage(message),
        boundary=_boundary(row, ids),
        shown=_shown(row, message),
        known=parts is not None,
        raw=row,
    )


def entries(rows: Sequence[Numbered]) -> Iterator[Entry]:
    """Yield the entries in file order, without header and title slot.

    Entries without an id get one of their line; without a parent field they follow the
    line before, as in version 1.
    """
    ids = [text_of(row.get("id")) or f"line-{number}" for number, row in rows]
    before: str | None = None
    for (number, row), name in zip(rows, ids, strict=True):
        if _is_header(row) or kind_of(row) == "title":
            continue
        yield _entry(number, row, name, before, ids)
        before = name
