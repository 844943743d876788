"""The query as the agent composes it, before anything is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..text.javascript import trim
from ..text.tags import strip_memory_blocks
from ..text.units import joined
from .spoken import Said, Unsaid

__all__ = ["CONTEXT_MARK", "Draft", "draft_query", "tail"]

CONTEXT_MARK = "Prior context:\n\n"
"""What a query with context begins with."""


@dataclass(frozen=True)
class Draft:
    """A composed query in its parts: what a strategy is given.

    ``latest`` is the prompt, ``context`` the messages before it without their
    memory blocks, oldest first; ``max_chars`` is the room in UTF-16 units, 0 or
    less for no limit; ``left_out`` are messages that composing leaves out.
    """

    latest: str
    context: tuple[Said, ...] = ()
    max_chars: int = 0
    left_out: tuple[Unsaid, ...] = ()

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """Return the messages of the context with their roles: ``user: text``."""
        return tuple(f"{said.role}: {said.text}" for said in self.context)

    @cached_property
    def text(self) -> str:
        """Return the whole query: the context, if there is any, and the prompt."""
        return self.with_context(self.entries)

    def with_context(self, lines: Sequence[str]) -> str:
        """Return the prompt behind these lines of context; alone where there is none."""
        if not lines:
            return self.latest
        body = "\n".join(lines)
        return f"{CONTEXT_MARK}{body}\n\n{self.latest}"


def tail(messages: Sequence[Said], turns: int) -> int:
    """Return where the last ``turns`` turns begin; a turn begins with a user message."""
    if turns <= 0:
        return len(messages)
    for position in range(len(messages) - 1, -1, -1):
        turns -= messages[position].role == "user"
        if turns <= 0:
            return position
    return 0


def draft_query(latest: str, messages: Sequence[Said], turns: int, max_chars: int = 0) -> Draft:
    """Compose a query of a prompt and the last turns of a conversation.

    With one turn or fewer the prompt is asked alone. Else each message of the
    tail gives one entry, without memory blocks and blanks around it; empty ones
    and user messages that repeat the prompt are left out.
    """
    latest = joined(trim(latest))
    if turns <= 1:
        return Draft(latest, (), max_chars, _all(messages, "only the prompt is asked"))
    start = tail(messages, turns)
    left_out = list(_all(messages[:start], "too old"))
    context: list[Said] = []
    for said in messages[start:]:
        text = joined(trim(strip_memory_blocks(said.text)))
        why = "" if text else "empty after stripping"
        if text and said.role == "user" and text == latest:
            why = "same as the prompt"
        if why:
            left_out.append(Unsaid(*said, why))
        else:
            context.append(said._replace(text=text))
    return Draft(latest, tuple(context), max_chars, tuple(left_out))


def _all(messages: Sequence[Said], why: str) -> tuple[Unsaid, ...]:
    return tuple(Unsaid(*said, why) for said in messages)
