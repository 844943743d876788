"""What was said in a session, as the memory layer and the readers see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from ..errors import InputError
from ..frames import Column, to_frame
from ..text.javascript import length

__all__ = ["Conversation", "Message"]

MESSAGE_COLUMNS = (
    Column("turn", "int"),
    Column("role"),
    Column("kind"),
    Column("time", "time"),
    Column("tool"),
    Column("chars", "int"),
    Column("text"),
    Column("id"),
)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    ``role`` is user, assistant or whatever the log says; ``kind`` refines it
    (prompt, reply, thinking, tool_call, tool_result, bash, summary, injected,
    meta). ``chars`` counts UTF-16 units.
    """

    role: str
    text: str
    time: datetime | None = None
    kind: str = ""
    id: str = ""
    tool: str | None = None
    model: str | None = None

    @property
    def chars(self) -> int:
        """Return the length of the text in UTF-16 units."""
        return length(self.text)


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, and where they come from.

    A turn begins with each user message; what comes before the first is turn 0.
    """

    messages: tuple[Message, ...] = ()
    id: str = ""
    title: str | None = None
    cwd: str | None = None
    agent: str | None = None

    @classmethod
    def of(
        cls, messages: Conversation | Iterable[Message | Mapping[str, Any] | str]
    ) -> Conversation:
        """Make a conversation of messages, of dicts with role and text (or content), or of prompts.

        A text alone is one prompt. Raises InputError for anything else.
        """
        if isinstance(messages, Conversation):
            return messages
        if isinstance(messages, str):
            messages = [messages]
        if isinstance(messages, Mapping) or not isinstance(messages, Iterable):
            raise InputError(_no_list(messages))
        return cls(tuple(_message(item) for item in messages))

    def turns(self) -> list[tuple[Message, ...]]:
        """Return the messages turn by turn; each turn begins with a user message."""
        groups: list[list[Message]] = []
        for message in self.messages:
            if message.role == "user" or not groups:
                groups.append([])
            groups[-1].append(message)
        return [tuple(group) for group in groups]

    def frame(self) -> pd.DataFrame:
        """Return one row per message: turn, role, kind, time, tool, chars, text, id."""
        return to_frame(self._rows(), MESSAGE_COLUMNS)

    def _rows(self) -> Iterator[dict[str, Any]]:
        turn = 0
        for message in self.messages:
            turn += message.role == "user"
            names = ("role", "kind", "time", "tool", "chars", "text", "id")
            yield {"turn": turn, **{name: getattr(message, name) for name in names}}

    def __len__(self) -> int:
        """Return the number of messages."""
        return len(self.messages)

    def __repr__(self) -> str:
        """Show what it is and how long."""
        name = self.title or self.id or "conversation"
        return f"Conversation({name!r}, {len(self.messages)} messages)"


def _no_list(given: object) -> str:
    if isinstance(getattr(given, "conversation", None), Conversation):
        hint = "Give its .conversation."
    else:
        hint = "Put a single message into a list."
    return (
        f"A conversation is a list of messages, not {type(given).__name__}: {given!r:.80}. {hint}"
    )


def _message(item: object) -> Message:
    if isinstance(item, Message):
        return item
    if isinstance(item, str):
        return Message("user", item, kind="prompt")
    if isinstance(item, Mapping):
        text = item.get("text", item.get("content"))
        if isinstance(item.get("role"), str) and isinstance(text, str):
            return Message(item["role"], text)
    raise InputError(
        f"A message is text, a Message, or a dict with role and text; not {item!r:.80}."
    )
