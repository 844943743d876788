"""Backends that answer as they are told, so that every figure can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memlab import Hit, Memories, Memory, Outcome, Recall
from memlab.errors import UnknownOption

Told = Sequence[str] | Exception


def memory(key: str, text: str = "", tier: str = "working", state: str = "live") -> Memory:
    text = text or f"text of {key}"
    return Memory(key, text, tier, state, chars=len(text))


class Fixed:
    """Answers each query with the ids it was told, or raises; remembers what it was asked."""

    def __init__(
        self,
        answers: Mapping[str, Told],
        memories: Sequence[Memory] = (),
        name: str = "told",
        texts: Mapping[str, str] | None = None,
    ) -> None:
        self.answers = dict(answers)
        self.stored = list(memories)
        self.name = name
        self.texts = dict(texts or {})
        self.asked: list[str] = []

    def recall(self, query: str, *, limit: int = 8, **options: Any) -> Recall:
        if options:
            raise UnknownOption(f"told has no option {next(iter(options))!r}.")
        self.asked.append(query)
        told = self.answers.get(query, ())
        if isinstance(told, Exception):
            raise told
        hits = tuple(
            Hit(rank, key, self.texts.get(key, f"text of {key}"), 1.0, "working")
            for rank, key in enumerate(told[:limit], start=1)
        )
        outcome = Outcome.OK if hits else Outcome.EMPTY
        return Recall(query, hits, outcome, self.name, {"limit": limit}, 0.01)

    def memories(self) -> Memories:
        return Memories(self.stored)

    def close(self) -> None:
        pass
