"""How far the agent's estimate of tokens is off, script by script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pandas as pd
import regex

from ..frames import Column, to_frame
from ..text.javascript import length
from ..text.tokens import Vocabulary, count_tokens, estimate_tokens
from .checks import texts_of_items

__all__ = ["token_errors", "writing_of"]

TOKEN_COLUMNS = (
    Column("script"),
    Column("texts", "int"),
    Column("chars", "int"),
    Column("tokens", "int"),
    Column("estimate", "int"),
    Column("chars_per_token", "float"),
    Column("error", "float"),
)
_SCRIPTS = (
    "Latin", "Cyrillic", "Greek", "Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Hebrew",
    "Devanagari", "Thai",
)  # fmt: skip
_NAMED = {"Han": "Chinese", "Hiragana": "Japanese", "Katakana": "Japanese", "Hangul": "Korean"}
_PATTERNS = {name: regex.compile(rf"\p{{Script={name}}}") for name in _SCRIPTS}
_EMOJI = regex.compile(r"\p{Extended_Pictographic}")
_CODE = regex.compile(r"[{}()\[\]<>;=_/\\|&*$#@+`]")
_CODE_SHARE = 0.08


def writing_of(text: str) -> str:
    """Return what a text is mostly written in: a script, "code", "emoji" or "other".

    The script of most letters; Han characters beside kana count as Japanese.
    "code" where more than 8 % of the characters are brackets and the like,
    "emoji" where there are more of them than letters.
    """
    if text and len(_CODE.findall(text)) / len(text) > _CODE_SHARE:
        return "code"
    counts = Counter({name: len(found.findall(text)) for name, found in _PATTERNS.items()})
    if len(_EMOJI.findall(text)) > counts.total():
        return "emoji"
    if counts["Hiragana"] + counts["Katakana"] > 0:
        counts["Hiragana"] += counts.pop("Han")
    script, count = counts.most_common(1)[0]
    return _NAMED.get(script, script) if count else "other"


def token_errors(texts: Iterable[Any], vocabulary: Vocabulary = "o200k_base") -> pd.DataFrame:
    """Compare the agent's estimate, a quarter of the UTF-16 units, with real tokens by script.

    ``texts`` are texts, or things with a ``text`` such as memories or messages.
    One row per script: texts, chars (UTF-16 units), tokens, estimate,
    chars_per_token, and error, the estimate as a share of the tokens less one:
    -0.6 means that the agent takes the texts to be 60 % shorter than they are.
    The largest script comes first.

    Raises InputError for what is no list of them, such as a single text.
    """
    plain = texts_of_items("texts", texts)
    counted = zip(plain, count_tokens(plain, vocabulary), strict=True)
    sums: dict[str, Counter[str]] = {}
    for text, tokens in counted:
        row = sums.setdefault(writing_of(text), Counter())
        row.update(texts=1, chars=length(text), tokens=tokens, estimate=estimate_tokens(text))
    ordered = sorted(sums.items(), key=lambda item: -item[1]["chars"])
    return to_frame((_row(script, row) for script, row in ordered), TOKEN_COLUMNS)


def _row(script: str, sums: Counter[str]) -> dict[str, Any]:
    row = {"script": script, **sums}
    if tokens := sums["tokens"]:
        row |= {"chars_per_token": sums["chars"] / tokens, "error": sums["estimate"] / tokens - 1}
    return row
