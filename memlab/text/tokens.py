"""Token counts of texts: by the servers' vocabularies, and as the agent estimates them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .javascript import BLANKS, cut, length, well_formed

__all__ = [
    "TokenCount",
    "Vocabulary",
    "count_tokens",
    "cut_to_estimate",
    "estimate_tokens",
    "tokens",
]

Vocabulary = Literal["o200k_base", "cl100k_base"]
_UNITS_PER_TOKEN = 4
"""The agent's rule of thumb: four UTF-16 units to a token."""


def count_tokens(texts: Iterable[str], vocabulary: Vocabulary = "o200k_base") -> list[int]:
    """Return the number of tokens of each text, in order.

    ``o200k_base`` is what Hindsight 1.1 counts with, ``cl100k_base`` what 0.9
    did. Special tokens are counted as plain text; lone surrogates as U+FFFD.
    """
    import toktok  # 8 MB of vocabulary, loaded when tokens are first counted

    counts: list[int] = toktok.batch_count([well_formed(text) for text in texts], vocabulary)
    return counts


def estimate_tokens(text: str) -> int:
    """Return the agent's estimate: UTF-16 units divided by four, rounded up."""
    return -(-length(text) // _UNITS_PER_TOKEN)


def cut_to_estimate(text: str, limit: int) -> str:
    """Cut a text to ``limit`` estimated tokens, as the agent cuts what it injects.

    A text of up to four units per token stays; a longer one loses its last
    units and the blanks before the cut, and ends with an ellipsis.
    """
    units = max(0, limit * _UNITS_PER_TOKEN)
    if length(text) <= units:
        return text
    return cut(text, 0, max(0, units - 1)).rstrip(BLANKS) + "…"


@dataclass(frozen=True, slots=True)
class TokenCount:
    """The size of one text: units, the agent's estimate, and real tokens.

    ``chars`` counts UTF-16 units, ``estimate`` is a quarter of it, ``o200k`` and
    ``cl100k`` are the counts of the two vocabularies.
    """

    chars: int
    estimate: int
    o200k: int
    cl100k: int

    @property
    def error(self) -> float:
        """Return how far the estimate is off, as a share of the o200k count.

        -0.7 means that the agent believes the text to be 70 % shorter than it is.
        """
        return self.estimate / self.o200k - 1 if self.o200k else 0.0


def tokens(text: str) -> TokenCount:
    """Measure a text: UTF-16 units, the agent's estimate, tokens of both servers' vocabularies."""
    (o200k,) = count_tokens([text])
    (cl100k,) = count_tokens([text], "cl100k_base")
    return TokenCount(length(text), estimate_tokens(text), o200k, cl100k)
