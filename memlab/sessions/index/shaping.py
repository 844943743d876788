"""Texts as the full-text tables get them: scripts without blanks between words, in pairs."""

from __future__ import annotations

import re

from ...text.javascript import well_formed

__all__ = ["phrase", "pieces", "shape"]

# Thai, Lao, Tibetan, Myanmar, Hangul, Khmer, Kana, Bopomofo, Han, Yi.
_DENSE = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0edf\u0f40-\u0fbc\u1000-\u109d\u1100-\u11ff\u1780-\u17d3"
    "\u3005-\u3007\u3031-\u3035\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\ua48c\uac00-\ud7a3\uf900-\ufad9\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{_DENSE}]+")
_WORD = re.compile(r"[^\W_]")
_WORDS = re.compile(rf"[{_DENSE}]+|[^\W_{_DENSE}]+")


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _spread(match: re.Match[str]) -> str:
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

    Any text is safe: it is quoted. A text without a letter or digit gives none.
    """
    clean = well_formed(text).replace("\0", " ")
    if _WORD.search(clean) is None:
        return None
    runs = list(_RUN.finditer(clean))
    last = runs[-1] if runs else None
    if last is None or _WORD.search(clean, last.end()):
        return _quoted(shape(clean))
    # The run ends the phrase: its last sign may be followed by more of them in a text.
    before, run = shape(clean[: last.start()]), last[0]
    if len(run) > 1:
        return _quoted(f"{before} {' '.join(_pairs(run))}")
    return f"{_quoted(f'{before} {run}')} *"


def pieces(text: str) -> list[str]:
    """Return the words that a text is made of, where it is made of several: ``ring_buffer``.

    Single letters and digits are none; runs of dense scripts give their pairs.
    """
    found = [
        piece
        for word in _WORDS.findall(well_formed(text))
        for piece in (_pairs(word) if _RUN.fullmatch(word) else [word])
    ]
    return [piece for piece in found if len(piece) > 1] if len(found) > 1 else []


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
