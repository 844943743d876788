"""Backends made of nothing, that answer as they are told to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from memlab.models import Conversation, Hit, Memories, Message, Outcome, Recall

__all__ = ["Toy", "said"]


def said(*turns: str, id: str = "", times: list[datetime] | None = None) -> Conversation:  # noqa: A002
    """A conversation that begins with the user, each speaking in turn."""
    messages = tuple(
        Message("assistant" if place % 2 else "user", text, times[place] if times else None)
        for place, text in enumerate(turns)
    )
    return Conversation(messages, id=id)


class Toy:
    """Finds the texts that hold a word of the query, in their order; remembers what it was asked."""

    def __init__(
        self, *texts: str, name: str = "mnemopi:toy", error: Exception | None = None,
        before: Callable[[], None] | None = None, **raw: Any,
    ) -> None:  # fmt: skip
        self.name, self.texts, self.error, self.before, self.raw = name, texts, error, before, raw
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.closed = 0

    def recall(self, query: str, **options: Any) -> Recall:
        self.asked.append((query, options))
        if self.before is not None:
            self.before()
        if self.error is not None:
            raise self.error
        words = set(query.lower().split())
        found = [text for text in self.texts if words & set(text.lower().split())]
        hits = tuple(
            Hit(n, f"m{n}", text, 1 / n, "working", "user", "2026-03-01T10:00:00Z", raw=self.raw)
            for n, text in enumerate(found, start=1)
        )
        outcome = Outcome.OK if hits else Outcome.EMPTY
        return Recall(query, hits, outcome, self.name, options)

    def memories(self) -> Memories:
        return Memories([])

    def close(self) -> None:
        self.closed += 1
