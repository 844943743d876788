"""The words of a bank: how many of its memories have each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import regex

from ...models import Memory

__all__ = ["Lexicon", "words_of"]

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}_'’-]*")


def words_of(text: str) -> list[str]:
    """Return the words of a text in order: letters and digits, joined by hyphens and the like."""
    return [word.rstrip("'’-_") for word in _WORD.findall(text)]


@dataclass(frozen=True)
class Lexicon:
    """The visible memories of a bank, and their words in lower case."""

    memories: tuple[Memory, ...]

    @cached_property
    def words(self) -> dict[str, frozenset[str]]:
        """Return the set of words of each memory, by id."""
        return {m.id: frozenset(map(str.casefold, words_of(m.text))) for m in self.memories}

    @cached_property
    def spread(self) -> Counter[str]:
        """Return in how many memories each word occurs."""
        return Counter(word for words in self.words.values() for word in words)

    def rarest(self, memory: Memory, count: int) -> list[str]:
        """Return the rarest words of a memory, as they stand in it, in the text's order.

        Words of fewer than three letters do not count; among equally rare ones
        the longer is taken, then the first by alphabet.
        """
        found = {word.casefold(): word for word in words_of(memory.text) if len(word) >= 3}
        order = sorted(found, key=lambda word: (self.spread[word], -len(word), word))
        chosen = set(order[:count])
        return [found[word] for word in found if word in chosen]

    def holding(self, words: Iterable[str]) -> list[str]:
        """Return the ids of the memories that have all these words."""
        wanted = frozenset(map(str.casefold, words))
        return [name for name, has in self.words.items() if wanted and wanted <= has]

    def grades(self, memory: Memory, words: Sequence[str]) -> dict[str, int]:
        """Return 2 for the memory a query was made from, 1 for others with all its words."""
        others = dict.fromkeys(self.holding(words), 1)
        return {memory.id: 2} | {name: 1 for name in others if name != memory.id}

    def parts(self, memory: Memory, part: str) -> dict[str, int]:
        """Return 2 for the memory a query was made from, 1 for others that hold it anywhere."""
        others = [other.id for other in self.memories if part in other.text]
        return {memory.id: 2} | {name: 1 for name in others if name != memory.id}

    @cached_property
    def commonest(self) -> list[str]:
        """Return the words of five letters and more, those in most memories first."""
        long = [word for word in self.spread if len(word) >= 5 and word.isalpha()]
        return sorted(long, key=lambda word: (-self.spread[word], word))
