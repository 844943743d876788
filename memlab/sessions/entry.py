"""The common entry: what every dialect of logs is read into."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple

from .values import mapping, number, whole

__all__ = ["Boundary", "Entry", "Header", "Kind", "Part", "Usage", "moment"]

Kind = Literal[
    "prompt",
    "reply",
    "thinking",
    "tool_call",
    "tool_result",
    "bash",
    "summary",
    "injected",
    "meta",
]
"""What a piece of text is. Only prompts were typed by a person."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(millis: float | None) -> datetime | None:
    """Return the UTC time of milliseconds since 1970; None for none, or beyond the calendar."""
    if millis is None:
        return None
    try:
        return _EPOCH + timedelta(milliseconds=millis)
    except (OverflowError, ValueError):
        return None


class Usage(NamedTuple):
    """Tokens that a reply cost, and the price in dollars where the log has it."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    cost: float | None = None


_USAGE_NAMES = {
    "input": ("input", "input_tokens"),
    "output": ("output", "output_tokens"),
    "cache_read": ("cacheRead", "cache_read_input_tokens"),
    "cache_write": ("cacheWrite", "cache_creation_input_tokens"),
}


def usage_of(counted: Mapping[str, Any]) -> Usage:
    """Read token counts as pi and as Claude Code write them."""
    counts = {
        name: next((n for key in keys if (n := whole(counted.get(key))) is not None), None)
        for name, keys in _USAGE_NAMES.items()
    }
    return Usage(**counts, cost=number(mapping(counted.get("cost")).get("total")))


class Part(NamedTuple):
    """One piece of an entry: a block of a message, a summary, a note.

    ``call`` is the id that joins a tool call and its result.
    """

    kind: Kind
    text: str
    tool: str | None = None
    call: str | None = None
    is_error: bool | None = None


class Boundary(NamedTuple):
    """A line that takes earlier ones out of the model's context: a compaction, or a reset.

    ``keep_from`` is the id of the first earlier entry that stays, or None if none does.
    """

    kind: Literal["compaction", "reset"]
    keep_from: str | None = None


class Header(NamedTuple):
    """What a log says of itself. ``title`` is the stored one, not one made from a prompt."""

    id: str
    version: str | None = None
    cwd: str | None = None
    time: float | None = None
    title: str | None = None
    parent: str | None = None
    is_subagent: bool = False


class Entry(NamedTuple):
    """One line of a log.

    ``line_no`` counts from 1, ``time`` is in milliseconds since 1970. ``message`` joins
    the lines that one message was spread over. ``shown`` tells whether the model sees the
    entry as long as no boundary follows. An entry that ``joins`` is active whenever its
    parent is. ``counted`` is what the log says of tokens; :attr:`usage` reads it. ``known`` is False for types this library has not heard of. ``raw`` is the
    parsed line.
    """

    line_no: int
    type: str
    id: str
    parent: str | None
    time: float | None
    role: str | None = None
    parts: tuple[Part, ...] = ()
    model: str | None = None
    counted: Mapping[str, Any] | None = None
    message: str | None = None
    boundary: Boundary | None = None
    shown: bool = False
    joins: bool = False
    sidechain: bool = False
    known: bool = True
    raw: Mapping[str, Any] = {}

    @property
    def at(self) -> datetime | None:
        """Return the time in UTC, or None where the log has none."""
        return moment(self.time)

    @property
    def usage(self) -> Usage | None:
        """Return the tokens of a reply, or None; of a reply on several lines the last has them."""
        return None if self.counted is None else usage_of(self.counted)

    def text(self, *kinds: Kind) -> str:
        """Return the texts of these kinds, joined by newline."""
        return "\n".join(part.text for part in self.parts if part.kind in kinds and part.text)
