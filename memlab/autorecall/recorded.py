"""Recorded sessions as the conversations that an agent's memory would read of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol, get_args, runtime_checkable

from ..errors import InputError
from ..models import Conversation, Message
from .compose import Talk

__all__ = ["Path", "Recorded", "conversation_of"]

Path = Literal["file", "active"]
_AT_COMPACTION = ("prompt", "reply", "summary")
_NO_COMPACTION = "branch_summary"


@runtime_checkable
class Recorded(Protocol):
    """A session log: its entries, and the conversation as it was held and as it is read."""

    @property
    def entries(self) -> Sequence[Any]:
        """Return the entries; each has an id and a type."""
        ...

    @property
    def conversation(self) -> Conversation:
        """Return what was said on the active path."""
        ...

    @property
    def conversation_as_agent_reads_it(self) -> Conversation:
        """Return what the memory layer reads: all of the file, in its order."""
        ...

    def messages(self, kinds: Any = ..., *, active: bool = True) -> list[Message]:
        """Return the messages of some kinds."""
        ...


def conversation_of(item: Any, path: Path, *, compactions: bool = False) -> Conversation:
    """Return the conversation of a session, or of what is one already.

    ``"file"`` is what the agent's memory reads of a session: all of it in file
    order, abandoned branches and text before a reset included; ``"active"`` is
    the path that led to its end. With ``compactions`` it is always that path,
    and the summaries of compactions stand in their places.

    Raises InputError for anything else.
    """
    if path not in get_args(Path):
        raise InputError(f'path is "file" or "active", not {path!r}.')
    if isinstance(item, str | Message | Mapping):
        kind = "the text" if isinstance(item, str) else "one message"
        raise InputError(
            f"A conversation is a list of messages or a session, not {kind} {item!r:.80}. A single "
            "conversation stands in a list too: [messages]."
        )
    if not isinstance(item, Recorded):
        talk: Talk = item
        return Conversation.of(talk)
    if compactions:
        return _with_compactions(item)
    return _whole_file(item) if path == "file" else item.conversation


def _whole_file(item: Recorded) -> Conversation:
    """Return what the memory layer reads, and the prompts that say nothing: they are asked too."""
    read = item.conversation_as_agent_reads_it
    known = {message.id for message in read.messages}
    silent = [m for m in item.messages(("prompt",), active=False) if m.id not in known]
    if not silent:
        return read
    places = {entry.id: place for place, entry in enumerate(item.entries)}
    both = sorted([*read.messages, *silent], key=lambda message: places[message.id])
    return replace(read, messages=tuple(both))


def _with_compactions(item: Recorded) -> Conversation:
    branches = {entry.id for entry in item.entries if entry.type == _NO_COMPACTION}
    held = item.conversation
    messages: Iterable[Message] = item.messages(_AT_COMPACTION)
    kept = tuple(m for m in messages if not (m.kind == "summary" and m.id in branches))
    return replace(held, messages=kept)
