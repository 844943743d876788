"""From one memory to one query: each maker is a way to ask."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import regex

from ...models import Memory
from ..scripts import script_of
from .forms import inflected
from .lexicon import Lexicon, words_of

__all__ = ["MAKERS", "Made", "Maker"]

_RUN = regex.compile(r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{5,}")
_PART = 3
# Nobody leaves the mark of й out: it is a letter of its own.
_OTHERS = {"ß": "ss", "ł": "l", "Ł": "L", "й": "й", "Й": "Й"}
LENGTHS = range(1, 9)


class Made(NamedTuple):
    """A query, and the words that other memories must have to be relevant too."""

    query: str
    words: tuple[str, ...]


Maker: TypeAlias = Callable[[Lexicon, Memory, random.Random], Made | None]


def rare_tokens(lexicon: Lexicon, memory: Memory, _: random.Random) -> Made | None:
    """Ask with the three rarest words: that memory must come first."""
    words = lexicon.rarest(memory, 3)
    return Made(" ".join(words), tuple(words)) if len(words) == 3 else None


def dropped_words(_: Lexicon, memory: Memory, chance: random.Random) -> Made | None:
    """Ask with a passage of up to twelve words, half of them left out."""
    words = words_of(memory.text)
    if len(words) < 6:
        return None
    start = chance.randrange(max(1, len(words) - 11))
    passage = words[start : start + 12]
    kept = sorted(chance.sample(range(len(passage)), (len(passage) + 1) // 2))
    chosen = [passage[place] for place in kept]
    return Made(" ".join(chosen), tuple(chosen))


def endings(lexicon: Lexicon, memory: Memory, _: random.Random) -> Made | None:
    """Ask with the three rarest words in another form: a changed ending."""
    words = lexicon.rarest(memory, 3)
    forms = [inflected(word) for word in words]
    if len(words) < 3 or not any(form != word for form, word in zip(forms, words, strict=True)):
        return None
    return Made(" ".join(forms), tuple(words))


def without_marks(lexicon: Lexicon, memory: Memory, _: random.Random) -> Made | None:
    """Ask without accents and dots: cafe for café, е for ё."""
    marked = [word for word in lexicon.rarest(memory, 1000) if _bare(word) != word]
    words = sorted(marked, key=lambda word: (lexicon.spread[word.casefold()], word))[:3]
    return Made(" ".join(map(_bare, words)), tuple(words)) if words else None


def _bare(word: str) -> str:
    return "".join(_OTHERS.get(letter) or _without_mark(letter) for letter in word)


def _without_mark(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part))


def part_of_run(_: Lexicon, memory: Memory, chance: random.Random) -> Made | None:
    """Ask with three letters out of a run that has no blanks, as Chinese and Japanese are written."""
    runs: list[str] = _RUN.findall(memory.text)
    if not runs:
        return None
    run = chance.choice(runs)
    start = chance.randrange(1, len(run) - _PART)
    part = run[start : start + _PART]
    return Made(part, (part,))


def tags(_: Lexicon, memory: Memory, chance: random.Random) -> Made | None:
    """Ask with one of the memory's tags."""
    found = sorted(tag for tag in memory.tags if tag.strip())
    return Made(chance.choice(found), ()) if found else None


def of_length(count: int) -> Maker:
    """Ask with so many words that follow each other, the first not too common."""

    def made(lexicon: Lexicon, memory: Memory, chance: random.Random) -> Made | None:
        words = words_of(memory.text)
        rare = {word.casefold() for word in lexicon.rarest(memory, 8)}
        starts = [i for i in range(len(words) - count + 1) if words[i].casefold() in rare]
        if not starts or script_of(memory.text) in ("Han", "Japanese", "Thai"):
            return None
        start = chance.choice(starts)
        chosen = words[start : start + count]
        return Made(" ".join(chosen), tuple(chosen))

    return made


MAKERS: dict[str, Maker] = {
    "rare-tokens": rare_tokens,
    "dropped-words": dropped_words,
    "endings": endings,
    "without-marks": without_marks,
    "part-of-run": part_of_run,
    "tags": tags,
    **{f"length-{count}": of_length(count) for count in LENGTHS},
}
