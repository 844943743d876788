"""Another form of a word, by its ending: what a reader would take for the same word."""

from __future__ import annotations

import regex

__all__ = ["inflected"]

# The first rule that fits is used. Endings of English, German and Polish, of
# Russian, and of no language at all: a last vowel is exchanged.
_RULES = [
    (regex.compile(r"(?<=[a-z]{3})ies$"), "y"),
    (regex.compile(r"(?<=[a-z]{4})ing$"), "ed"),
    (regex.compile(r"(?<=[a-z]{4})ed$"), "ing"),
    (regex.compile(r"(?<=[a-z]{2}(?:ss|sh|ch|x))$"), "es"),
    (regex.compile(r"(?<=[a-z]{3}[^s])s$"), ""),
    (regex.compile(r"(?<=[\p{Latin}]{3})ę$"), "a"),
    (regex.compile(r"(?<=[\p{Latin}]{3})a$"), "ę"),
    (regex.compile(r"(?<=\p{Cyrillic}{3})ую$"), "ая"),
    (regex.compile(r"(?<=\p{Cyrillic}{3})ая$"), "ую"),
    (regex.compile(r"(?<=\p{Cyrillic}{3})у$"), "а"),
    (regex.compile(r"(?<=\p{Cyrillic}{3})[аяыие]$"), "у"),
    (regex.compile(r"(?<=\p{Cyrillic}{3}[бвгджзклмнпрстфхцчшщ])$"), "а"),
    (regex.compile(r"(?<=[a-zäöüß]{3}[b-df-hj-np-tv-z])$"), "s"),
    (regex.compile(r"(?<=[a-z]{3}e)$"), "s"),
]


def inflected(word: str) -> str:
    """Return a word with another ending; the word itself where none is known.

    Words with digits or capitals inside are names and stay as they are.
    """
    if len(word) < 4 or not word[1:].islower() or not word.isalpha():
        return word
    for ending, other in _RULES:
        changed: str = ending.sub(other, word, count=1)
        if changed != word:
            return changed
    return word
