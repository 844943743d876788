"""Queries made from a bank's own words, for comparing recalls where nobody has written any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from ...models import Memories
from ..lexicon import tokenize

__all__ = ["own_queries"]

_FRAMES = (
    "what about {}?", "how do we {}", "which {} is current now", "{} yesterday",
    "when did we change {}", "{} last week", "Prior context:\n\nuser: {}\n\nand now?",
)  # fmt: skip


def own_queries(memories: Memories, count: int, seed: int = 0) -> list[str]:
    """Return queries about a bank: pieces of memories, rare words, common words, questions.

    The same bank, count and seed give the same queries.
    """
    rng = Random(f"queries {seed}")
    texts = [memory.text for memory in memories if memory.text.strip()]
    if not texts:
        return ["anything"] * min(count, 1)
    return [query for query, _ in zip(_endless(rng, texts), range(count), strict=False)]


def _endless(rng: Random, texts: Sequence[str]) -> Iterator[str]:
    counts = Counter(word for text in texts for word in dict.fromkeys(tokenize(text)))
    words = sorted(counts) or ["anything"]
    weights = [counts[word] for word in words] if counts else [1]
    while True:
        text = rng.choice(texts)
        start = rng.randrange(len(text))
        yield text[start : start + rng.randint(5, 90)]
        own = sorted(dict.fromkeys(tokenize(text)), key=lambda word: (counts[word], word))
        yield " ".join(own[:3]) or text
        some = rng.choices(words, weights, k=rng.randint(1, 4))
        yield " ".join(some)
        yield rng.choice(_FRAMES).format(" ".join(some))
        yield " ".join(rng.choices(words, k=rng.randint(1, 20)))
