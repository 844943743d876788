"""Memories and log entries as the pieces of text that are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from ...backends import Backend
from ...errors import InputError
from ...models import Memories
from ...text.protocol import strip_protocol
from ..pify.terms import terms

__all__ = ["Piece", "Said", "memory_pieces", "said_pieces"]

KINDS = ("prompt", "reply", "tool_call", "summary")
"""What a memory can have been made of; the call of a memory tool holds its text."""

_ROLE = re.compile(r"^\[role: ?([-_a-zA-Z0-9]+)\]\s*$", re.MULTILINE)
_NEEDED = ("id", "text")


@dataclass(frozen=True)
class Piece:
    """A memory, or one message of a memory that is a transcript."""

    memory: str
    part: int
    text: str
    words: frozenset[str]
    role: str | None = None
    time: datetime | None = None
    sessions: tuple[str, ...] = ()
    cwd: str | None = None
    summary_of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Said:
    """A piece of a log."""

    place: int
    session: str
    cwd: str | None
    time: datetime | None
    kind: str
    role: str | None
    text: str
    words: frozenset[str]
    row: Mapping[str, Any]


def _moment(value: object) -> datetime | None:
    if value is None or value is pd.NaT:
        return None
    return value if isinstance(value, datetime) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _messages(text: str) -> Iterator[tuple[str | None, str]]:
    """Part a retained transcript into its messages; any other text is one."""
    marks = list(_ROLE.finditer(text))
    if not marks:
        yield None, strip_protocol(text)
        return
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=True):
        yield mark[1], strip_protocol(text[mark.end() : end])


def _rows(memories: Memories | pd.DataFrame | Backend) -> Iterator[dict[str, Any]]:
    if not isinstance(memories, Memories | pd.DataFrame):
        if not callable(getattr(memories, "memories", None)):
            raise InputError(
                f"{memories!r:.80} holds no memories. Give a bank, its memories, or their frame."
            )
        memories = memories.memories()
    if isinstance(memories, Memories):
        for memory in memories:
            row = {name: getattr(memory, name) for name in ("id", "text", "time", "metadata")}
            yield {**row, "summary_of": memory.raw.get("summary_of")}
        return
    missing = [name for name in _NEEDED if name not in memories.columns]
    if missing:
        raise InputError(
            f"The frame of memories has no column {missing[0]!r}. Give bank.memories(), or its "
            "frame with the columns id, text, time and metadata."
        )
    for record in memories.to_dict("records"):
        yield {str(name): value for name, value in record.items()}


def memory_pieces(memories: Memories | pd.DataFrame | Backend) -> Iterator[Piece]:
    """Yield the pieces of memories: of a transcript one per message, else one per memory."""
    for row in _rows(memories):
        metadata = row.get("metadata")
        facts = metadata if isinstance(metadata, Mapping) else {}
        named = [_text(facts.get(name)) for name in ("session_id", "source_id")]
        sources = _text(row.get("summary_of"))
        for part, (role, text) in enumerate(_messages(str(row["text"])), start=1):
            yield Piece(
                memory=str(row["id"]),
                part=part,
                text=text,
                words=frozenset(terms(text)),
                role=role,
                time=_moment(row.get("time")),
                sessions=tuple(name for name in named if name),
                cwd=_text(facts.get("cwd")),
                summary_of=tuple(sources.split(",")) if sources else (),
            )


def said_pieces(entries: pd.DataFrame) -> Iterator[Said]:
    """Yield the pieces of a common frame that a memory can have been made of."""
    chosen = entries[entries["kind"].isin(KINDS)]
    for place, row in enumerate(chosen.to_dict("records")):
        text = _text(row["text"]) or ""
        words = frozenset(terms(text))
        if words:
            yield Said(
                place=place,
                session=str(row["session_id"]),
                cwd=_text(row["cwd"]),
                time=_moment(row["ts"]),
                kind=str(row["kind"]),
                role=_text(row["role"]),
                text=text,
                words=words,
                row={str(name): value for name, value in row.items()},
            )


def prompts_before(said: Iterable[Said]) -> dict[int, Said]:
    """Return for each piece the prompt that began its turn."""
    last: dict[str, Said] = {}
    turns = {}
    for piece in said:
        if piece.kind == "prompt":
            last[piece.session] = piece
        if piece.session in last:
            turns[piece.place] = last[piece.session]
    return turns
