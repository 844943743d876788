"""Token counts of texts, by the vocabularies the servers count with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from .javascript import well_formed

__all__ = ["Vocabulary", "count_tokens"]

Vocabulary = Literal["o200k_base", "cl100k_base"]


def count_tokens(texts: Iterable[str], vocabulary: Vocabulary = "o200k_base") -> list[int]:
    """Return the number of tokens of each text, in order.

    ``o200k_base`` is what Hindsight 1.1 counts with, ``cl100k_base`` what 0.9
    did. Special tokens are counted as plain text; lone surrogates as U+FFFD.
    """
    import toktok  # 8 MB of vocabulary, loaded when tokens are first counted

    counts: list[int] = toktok.batch_count([well_formed(text) for text in texts], vocabulary)
    return counts
