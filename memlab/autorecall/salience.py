"""The terms of a conversation that tell most about it, weighed against a corpus (TF-IDF)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Protocol

import regex

from ..text.javascript import length
from .checks import texts_of_items, whole_number
from .draft import Draft
from .truncate import truncate

__all__ = ["Corpus", "HasMemories", "salient_terms"]

_WORD = regex.compile(r"[\p{L}\p{N}_]+")
TERMS = 12
"""As many terms as the Mnemopi engine looks up in its full-text index."""


class HasMemories(Protocol):
    """A backend, as far as its memories are asked for."""

    def memories(self) -> Iterable[Any]:
        """Return the stored memories; each has a ``text``."""
        ...


Corpus = HasMemories | Iterable[Any]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _texts(corpus: Corpus) -> list[str]:
    return texts_of_items("corpus", corpus.memories() if hasattr(corpus, "memories") else corpus)


def salient_terms(corpus: Corpus, terms: int = TERMS) -> Callable[[Draft], str]:
    """Make a strategy that asks the ``terms`` most telling words instead of the sentences.

    A word weighs how often it is said times ``ln((1 + n) / (1 + df))``, with ``df``
    of ``n`` texts of the corpus holding it: scikit-learn's smooth weight less
    one, so that a word of every text weighs nothing. Words that no text holds cannot find any, and are left out
    unless there is no other. The words stand in the order in which they were said;
    where nothing is a word, the agent's query is asked. The corpus is read when
    the strategy is first used.

    Raises InputError where the corpus, once read, is no list of texts or of things with a text.
    """
    whole_number("terms", terms, least=1)

    @cache
    def counted() -> tuple[int, Counter[str]]:
        texts = _texts(corpus)
        return len(texts), Counter(word for text in texts for word in set(_words(text)))

    def salient(draft: Draft) -> str:
        said = _words("\n".join([*(entry.text for entry in draft.context), draft.latest]))
        if not said:
            return truncate(draft.text, draft.latest, draft.max_chars)
        size, held = counted()
        counts = Counter(said)
        known = [word for word in counts if held[word]] or list(counts)

        def weight(word: str) -> float:
            return counts[word] * math.log((1 + size) / (1 + held[word]))

        best = set(sorted(known, key=weight, reverse=True)[:terms])
        return _fitting([word for word in counts if word in best], draft.max_chars)

    salient.__name__ = "salient terms"
    return salient


def _fitting(words: list[str], room: int) -> str:
    """Join as many words as fit, from the first."""
    asked = ""
    for word in words:
        longer = f"{asked} {word}" if asked else word
        if 0 < room < length(longer):
            break
        asked = longer
    return asked
