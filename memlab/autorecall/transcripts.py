"""What the agent writes down of a conversation, in its three versions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from ..errors import InputError
from ..models import Conversation, Message
from ..text.dates import iso_millis
from ..text.javascript import length, trim
from ..text.protocol import strip_protocol
from ..text.substance import is_substantive
from ..text.tags import strip_memory_blocks
from .compose import Talk
from .spoken import History, spoken

__all__ = ["Transcript", "retained_turns", "transcript"]

Kind = Literal["plain", "embeddable", "user"]
_LEAST = 10
_NEWLINE = re.compile(r"\r?\n")
_USER_LINE = "[role: user]"


class Transcript(NamedTuple):
    """A transcript, and how many messages are in it; no text where too little was said."""

    text: str | None
    messages: int


def transcript(
    conversation: Talk,
    kind: Kind = "plain",
    *,
    strip: bool = True,
    last_turn: bool = False,
    timestamps: bool = False,
    history: History = "spoken",
) -> Transcript:
    """Write a conversation down as the agent does before it retains it.

    ``"plain"`` frames each message with its role, ``"embeddable"`` has the
    contents alone (what is embedded, indexed and shown), ``"user"`` has what
    the user said (what facts are taken from). Memory blocks are taken out,
    unless ``strip`` is False, which no agent does: it shows what stripping is
    good for. Messages without a letter or digit are left out, and a transcript
    of fewer than ten units is none.

    ``last_turn`` begins at the last user message; ``timestamps`` adds the time
    of each message that has one. ``history="given"`` takes every message, where
    the agent takes the text of user and assistant.
    """
    if kind not in ("plain", "embeddable", "user"):
        raise InputError(f'kind is "plain", "embeddable" or "user", not {kind!r}.')
    said = spoken(Conversation.of(conversation), history)
    messages = [message for message in said if kind != "user" or _by_user(message)]
    if last_turn:
        users = [place for place, message in enumerate(messages) if _by_user(message)]
        messages = messages[users[-1] :] if users else []
    clean = strip_memory_blocks if strip else str
    write = _contents if kind == "embeddable" else _framed
    parts = [part for message in messages if (part := write(message, clean, timestamps))]
    text = "\n\n".join(parts)
    return Transcript(text, len(parts)) if length(trim(text)) >= _LEAST else Transcript(None, 0)


def _by_user(message: Message) -> bool:
    return message.role == "user"


def _framed(message: Message, clean: Callable[[str], str], timestamps: bool) -> str:
    content = trim(clean(message.text))
    if not is_substantive(content):
        return ""
    time = f"[timestamp: {iso_millis(message.time)}]\n" if timestamps and message.time else ""
    return f"[role: {message.role}]\n{time}{content}\n[{message.role}:end]"


def _contents(message: Message, clean: Callable[[str], str], _: bool) -> str:
    content = strip_protocol(clean(message.text))
    return content if is_substantive(content) else ""


def retained_turns(rows: Iterable[Mapping[str, Any]], session: str) -> int:
    """Return how many user turns of a session its stored transcripts hold already.

    Each row has content, sourceId and retainedThroughUserTurn, as the agent
    reads them. A whole number in the last counts; else, where the source is the
    session, the lines ``[role: user]`` of the content do. The largest wins.
    """
    return max((_turns_of(row, session) for row in rows), default=0)


def _turns_of(row: Mapping[str, Any], session: str) -> int:
    stored = row["retainedThroughUserTurn"]
    if isinstance(stored, int | float) and not isinstance(stored, bool) and stored == int(stored):
        return max(0, int(stored))
    source = row["sourceId"] or ""
    if source != session and not source.startswith(f"{session}-"):
        return 0
    return _NEWLINE.split(row["content"]).count(_USER_LINE)
