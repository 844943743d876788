"""Entries as conversations: as they were held, and as the memory layer reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ..models import Message
from ..text.substance import is_substantive
from .dialects import Agent
from .entry import Entry, Kind
from .pify.documents import SPEAKERS
from .tree import Tree
from .values import mapping, texts

__all__ = ["as_agent_reads", "messages", "spoken"]

SPEECH: tuple[Kind, ...] = ("prompt", "reply")


def _message(entry: Entry, kind: Kind, text: str, tool: str | None) -> Message:
    return Message(
        role=entry.role or kind,
        text=text,
        time=entry.at,
        kind=kind,
        id=entry.id,
        tool=tool,
        model=entry.model,
    )


def _grouped(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Put the lines of one message together, where its first one stands."""
    groups: dict[object, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.message or entry.line_no, []).append(entry)
    return list(groups.values())


def messages(entries: Iterable[Entry], kinds: Sequence[Kind] = SPEECH) -> Iterator[Message]:
    """Yield a message per entry and kind; the lines of one message are joined by newline.

    Tool calls and results stay apart, one message each.
    """
    for lines in _grouped(entries):
        parts = [part for entry in lines for part in entry.parts if part.kind in kinds]
        for (kind, tool, call), same in groupby(parts, key=lambda part: (part[0], *part[2:4])):
            text = "\n".join(part.text for part in same)
            if text or call is not None:
                yield _message(lines[0], kind, text, tool)


def spoken(entries: Sequence[Entry], tree: Tree, *, active: bool = True) -> list[Entry]:
    """Return the entries of the active path in the order of the talk, or all in file order.

    What sub-agents said aside, in the log of a person's session, is left out.
    """
    chosen = [entries[place] for place in tree.order] if active else entries
    return _without_asides(chosen)


def _without_asides(entries: Sequence[Entry]) -> list[Entry]:
    """Leave out sub-agents, unless it is a sub-agent's own log."""
    main = [entry for entry in entries if not entry.sidechain]
    return main if any(entry.message or entry.parts for entry in main) else list(entries)


def as_agent_reads(entries: Sequence[Entry], agent: Agent) -> Iterator[Message]:
    """Yield what the memory layer reads: user and assistant messages in file order.

    Abandoned branches count, and so does text before a reset. Only text blocks, joined
    by newline, and only where they hold a letter or a digit. Claude Code's logs have no
    such reader; of them the prompts and replies are taken, without sub-agents.
    """
    said = _claude_speech(entries) if agent == "claude" else _pi_speech(entries)
    return (message for message in said if is_substantive(message.text))


def _claude_speech(entries: Sequence[Entry]) -> Iterator[Message]:
    return messages(_without_asides(entries))


def _pi_speech(entries: Iterable[Entry]) -> Iterator[Message]:
    for entry in entries:
        if entry.type == "message" and entry.role in SPEAKERS:
            said = mapping(entry.raw.get("message")) or entry.raw
            kind: Kind = "prompt" if entry.role == "user" else "reply"
            yield _message(entry, kind, "\n".join(texts(said.get("content"))), None)
