"""Queries that nothing answers: words that the bank does not have."""

from __future__ import annotations

import random

from .lexicon import Lexicon

__all__ = ["strange_query", "strange_word"]

_ONSETS = ("br", "dr", "fl", "gl", "kr", "pl", "qu", "st", "tr", "v", "w", "z")
_VOWELS = ("a", "e", "i", "o", "u", "oo", "ai")
_CODAS = ("b", "ft", "g", "lk", "mp", "nd", "rv", "sk", "x", "zz")


def strange_word(lexicon: Lexicon, chance: random.Random) -> str:
    """Return an invented word of two syllables that no memory has, nor any part of it."""
    while True:
        parts = [chance.choice(pool) for pool in (_ONSETS, _VOWELS, _CODAS, _VOWELS, _CODAS)]
        word = "".join(parts)
        if not any(word in known or known in word for known in lexicon.spread if len(known) > 3):
            return word


def strange_query(lexicon: Lexicon, chance: random.Random, *, mixed: bool) -> str:
    """Return a query of three invented words; mixed: one of them is common in the bank.

    The common word occurs in memories that do not answer the question.
    """
    words = [strange_word(lexicon, chance) for _ in range(3)]
    if mixed and lexicon.commonest:
        words[chance.randrange(3)] = chance.choice(lexicon.commonest[:20])
    return " ".join(words)
