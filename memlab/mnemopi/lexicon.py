"""Words of a query and of a memory: tokens, synonyms, and how well they match.

Every function is pure; the rules are those of the engine's linear recall.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..text.javascript import length, order_key, split_blanks, trim
from .words import (
    CLITICS,
    CURRENT,
    EXTRA_VARIANTS,
    FILLERS,
    OUTDATED,
    QUERY_STOP,
    STOP,
    canonical,
    group_of,
)

__all__ = [
    "Groups",
    "QueryWords",
    "TextWords",
    "asks_current",
    "current_factor",
    "fact_groups",
    "fts_query",
    "groups_of",
    "normalized",
    "relevance",
    "tokenize",
    "union",
    "variants",
]

Groups = tuple[tuple[str, ...], ...]
"""One tuple of interchangeable words per word of the query."""

_TOKEN = re.compile(r"\w+")
_ASKS_CURRENT = re.compile(
    r"\b(?:now|current|currently|latest|recent|today|active|present)\b", re.ASCII | re.IGNORECASE
)
_SAYS_CURRENT = re.compile(rf"\b(?:{CURRENT})\b", re.ASCII)
_SAYS_OUTDATED = re.compile(rf"\b(?:{OUTDATED})\b", re.ASCII)
CURRENT_FACTOR = 1.35
OUTDATED_FACTOR = 0.72
LONG_WORD = 4


def tokenize(text: str) -> list[str]:
    """Return the lower-case words of a text in order, repeats kept, stop words left out."""
    return [token for token in _TOKEN.findall(text.lower()) if token not in STOP]


class TextWords:
    """A memory's text prepared for matching: lower case, and its longer words."""

    __slots__ = ("long_words", "lowered")

    def __init__(self, text: str) -> None:
        """Lower the text and collect its words of at least four units."""
        self.lowered = text.lower()
        words = dict.fromkeys(tokenize(self.lowered))
        self.long_words = tuple(word for word in words if length(word) >= LONG_WORD)


def variants(token: str, synonyms: bool = True) -> tuple[str, ...]:
    """Return the words that may stand for a token, canonical word first."""
    if not synonyms:
        return (token,)
    return (group_of(token) or (token,)) + EXTRA_VARIANTS.get(token, ())


def _group(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(token for word in words for token in tokenize(word)))


def groups_of(query: str, synonyms: bool = True) -> Groups:
    """Return one group of interchangeable words per token of the query; empty groups dropped."""
    groups = (_group(variants(token, synonyms)) for token in tokenize(query))
    return tuple(group for group in groups if group)


def union(groups: Groups) -> tuple[str, ...]:
    """Return all words of the groups once, in order."""
    return tuple(dict.fromkeys(word for group in groups for word in group))


def fts_query(terms: Sequence[str], query: str, cap: int) -> str:
    """Return the full-text query: the first ``cap`` terms, quoted, any of which may match."""
    if terms:
        return " OR ".join(_quoted(term) for term in terms[:cap])
    return _quoted(trim(query))


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def normalized(query: str) -> str:
    """Return the query's canonical words, sorted, as one line."""
    words = {canonical(word) for word in split_blanks(query.lower()) if word not in QUERY_STOP}
    return " ".join(sorted(words, key=order_key)).lower()


def asks_current(query: str) -> bool:
    """Tell whether a query asks for the present state."""
    return bool(_ASKS_CURRENT.search(query))


def current_factor(
    lowered: str, current: float = CURRENT_FACTOR, outdated: float = OUTDATED_FACTOR
) -> float:
    """Return the factor for a lower-case text that calls itself current or outdated."""
    factor = 1.0
    if _SAYS_CURRENT.search(lowered):
        factor *= current
    if _SAYS_OUTDATED.search(lowered):
        factor *= outdated
    return factor


def _matches(token: str, lowered: str, long_words: Sequence[str]) -> bool:
    if token in lowered:
        return True
    # A long word of the text inside the token; the other way round is the substring test above.
    return length(token) >= LONG_WORD and any(word in token for word in long_words)


def relevance(groups: Groups, text: TextWords, normal: str) -> float:
    """Return how well a text answers the groups of a query, 0 to 1.

    The share of groups with a match; 1 where the normalised query stands in the
    text; for a query of one word 0.7 and up, by repetition of its first variant.
    """
    if not groups:
        return 0.0
    lowered = text.lowered
    if len(groups) >= 2 and normal and normal in lowered:
        return 1.0
    matched = sum(
        any(_matches(token, lowered, text.long_words) for token in group) for group in groups
    )
    if len(groups) > 1:
        return matched / len(groups)
    if not matched:
        return 0.0
    repeats = lowered.count(groups[0][0]) - 1
    return min(0.7 + 0.1 * min(max(repeats, 0), 3), 1.0)


def fact_groups(query: str, searchable: str) -> Groups:
    """Return the groups of a query for one fact: fillers count only where the fact has them."""
    present = set(tokenize(searchable))

    def counts(word: str) -> bool:
        return word not in FILLERS or (word in present and word not in CLITICS)

    groups = (
        tuple(word for word in _group(variants(token)) if counts(word))
        for token in tokenize(query)
        if counts(token)
    )
    return tuple(group for group in groups if group)


@dataclass(frozen=True)
class QueryWords:
    """A query taken apart once: its groups, its terms, its normal form."""

    query: str
    synonyms: bool = True

    @cached_property
    def groups(self) -> Groups:
        """Return the groups of interchangeable words."""
        return groups_of(self.query, self.synonyms)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Return all words that count, once each, in order."""
        return union(self.groups)

    @cached_property
    def normal(self) -> str:
        """Return the normalised query (which always uses synonyms)."""
        return normalized(self.query)

    def fts(self, cap: int) -> str:
        """Return the full-text query of the first ``cap`` terms."""
        return fts_query(self.terms, self.query, cap)
