"""A memory of a few lines: recalls by shared words, stores an equal text once."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ..mnemopi.texts import recall_block

__all__ = ["ScratchMemory"]

_WORD = regex.compile(r"[\p{L}\p{N}]+")


class ScratchMemory:
    """A memory to watch a loop in; ``limit`` is how many memories it recalls at most.

    A text weighs as many different words as it shares with the query; equal
    weights keep the order in which they were stored.
    """

    def __init__(self, limit: int = 8) -> None:
        self.limit = limit
        self.texts: list[str] = []

    def block(self, query: str) -> str:
        """Return the memories that share most words with the query, as a block."""
        asked = set(_WORD.findall(query.lower()))
        shared = {text: len(asked & set(_WORD.findall(text.lower()))) for text in self.texts}
        best = sorted((text for text in self.texts if shared[text]), key=lambda t: -shared[t])
        found = [{"content": text, "source": "scratch"} for text in best[: self.limit]]
        return recall_block(found) if found else ""

    def retain(self, texts: Sequence[str]) -> None:
        """Store the texts that are not there yet."""
        self.texts += [text for text in dict.fromkeys(texts) if text not in self.texts]

    def __len__(self) -> int:
        """Return how many memories there are."""
        return len(self.texts)
