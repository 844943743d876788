"""The order of texts outside ASCII against the agent's own runtime."""

from __future__ import annotations

import random
import sys

import pytest

from memlab.text import collation
from memlab.text.collation import compare
from tests.parity.engine import engine
from tests.parity.words import MANY, SCRIPTS

pytestmark = pytest.mark.engine
PAIRS = 4000
MARKS = [
    "—",
    "…",
    "“x”",
    "→",
    "’",
    "€",
    "£",
    "•",
    "·",
    "№",
    "™",
    "½",
    "²",
    "①",
    "é",
    "É",
    "ß",
    "Æ",
    "ñ",
    "Å",
    "ö",
    "ö",
    "ı",
    "İ",
    "한국어",
    "ひらがな",
    "カタカナ",
    "日本",
    "中文",
    "Ж",
    "α",
    "א",
    "ع",
]
WORDS = (*SCRIPTS, *MANY[:40], *MARKS)


def pairs(seed: int) -> list[tuple[str, str]]:
    rng = random.Random(f"collation {seed}")

    def text() -> str:
        return rng.choice([" ", "", ", ", "-"]).join(rng.choices(WORDS, k=rng.randint(1, 5)))

    def beside(other: str) -> str:
        return other[: rng.randint(0, len(other))] + rng.choice(WORDS)

    firsts = [text() for _ in range(PAIRS)]
    return [(first, text() if rng.random() < 0.6 else beside(first)) for first in firsts]


def test_texts_outside_ascii(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = pairs(seed)
    requests = ({"op": "localeCompare", "args": {"a": a, "b": b}} for a, b in asked)
    real = [answer["result"] for answer in engine().ask(requests)]
    if collation.uses_icu():
        assert [
            (a, b) for (a, b), want in zip(asked, real, strict=True) if compare(a, b) != want
        ] == []
    monkeypatch.setitem(sys.modules, "icu", None)
    collation._icu.cache_clear()
    try:
        wrong = sum(compare(a, b) != want for (a, b), want in zip(asked, real, strict=True))
    finally:
        monkeypatch.undo()
        collation._icu.cache_clear()
    assert wrong < PAIRS // 100, f"without PyICU {wrong} of {PAIRS} pairs come out otherwise"
