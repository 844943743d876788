"""Texts as the full-text tables get them: scripts without blanks between words, in pairs."""

from __future__ import annotations

import regex

from ...text.javascript import well_formed

__all__ = ["phrase", "shape"]

_DENSE = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
    r"\p{Tibetan}\p{Yi}ー々〆]"
)
_RUN = regex.compile(f"{_DENSE}+")
_WORD = regex.compile(rf"{_DENSE}+|[\p{{L}}\p{{N}}\p{{M}}\p{{Co}}--{_DENSE}]+", regex.V1)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _spread(match: regex.Match[str]) -> str:
    run = match[0]
    return f" {' '.join([*_pairs(run), run[-1]])} "


def shape(text: str) -> str:
    """Return the text as it is indexed: runs of Chinese, Thai and the like become pairs.

    ``数据库`` becomes ``数据 据库 库``, so that any part of it can be found. Lone
    surrogates become U+FFFD.
    """
    return text if text.isascii() else _RUN.sub(_spread, well_formed(text))


def phrase(text: str) -> str | None:
    """Return the full-text phrase that finds these words next to each other, or None.

    Any text is safe: words are quoted, everything else is left out.
    """
    words = _WORD.findall(well_formed(text))
    if not words:
        return None
    tokens: list[str] = []
    for place, word in enumerate(words):
        if not _RUN.fullmatch(word):
            tokens.append(word)
            continue
        tokens.extend(_pairs(word))
        if place < len(words) - 1:
            tokens.append(word[-1])
    last = words[-1]
    if _RUN.fullmatch(last) and len(last) == 1:
        return f'"{" ".join([*tokens, last])}" *'
    return f'"{" ".join(tokens)}"'
