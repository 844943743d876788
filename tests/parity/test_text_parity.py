"""JavaScript's text, number and date rules, asked of the engine's own runtime."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from memlab.mnemopi.dates import event_date
from memlab.mnemopi.intent import classify
from memlab.mnemopi.lexicon import QueryWords, groups_of, normalized, tokenize
from memlab.mnemopi.records import clip
from memlab.text.collation import compare
from memlab.text.dates import parse_millis
from memlab.text.javascript import round4, to_fixed
from tests.parity.engine import engine

pytestmark = pytest.mark.engine
EACH = 1500
NOW = "2026-03-01T12:00:00.000Z"
NOW_MS = parse_millis(NOW) or 0.0
WORDS = [
    "deploy", "the", "Port", "last", "next", "in", "3", "12", "days", "ago", "week", "monday",
    "March", "may", "5", "2026-02-29", "1/2/26", "31/12/2025", "now", "what", "is", "prefer",
    "naïve", "ΟΣ", "日本語", "v2.4.0", "it's", "api_key", "🚀", "İstanbul", "straße", "token", "-",
    "\ufeff", "\u2028", "\x85", "?", "recently", "tomorrow", "99999999999999999", "years", "hours",
]  # fmt: skip


def _words(rng: random.Random) -> str:
    return rng.choice([" ", " ", "  ", "\n"]).join(rng.choices(WORDS, k=rng.randint(0, 9)))


def _ascii(rng: random.Random) -> str:
    return "".join(chr(rng.randint(9, 126)) for _ in range(rng.randint(0, 6)))


def _number(rng: random.Random) -> float:
    exact = rng.randint(-40_000, 40_000) / rng.choice([8, 16, 20_000, 1000])
    return rng.choice([exact, rng.uniform(-3, 3), rng.uniform(0, 1)])


def _date(rng: random.Random) -> str:
    year = rng.choice(["2026", "1999", "0099", "+010020", "-000001", "26"])
    day = f"{rng.randint(0, 13):02d}-{rng.randint(0, 32):02d}"
    clock = rng.choice(
        ["", "", "T12", "T23:59", " 08:05:09", "T24:00:00", "T10:00:00.123456", "t01:02:03.4"]
    )
    zone = rng.choice(["", "", "Z", "z", "+0200", "-11:30", "+24:00", " Z"])
    return rng.choice([f"{year}-{day}{clock}{zone}", f"{year}{clock}{zone}", f"{year}-{day[:2]}"])


Make = Callable[[random.Random], dict[str, Any]]
Ask = Callable[[dict[str, Any]], Any]
KINDS: dict[str, tuple[Make, Ask]] = {
    "round4": (lambda r: {"x": _number(r)}, lambda a: round4(a["x"])),
    "toFixed1": (lambda r: {"x": _number(r)}, lambda a: to_fixed(a["x"], 1)),
    "dateParse": (lambda r: {"text": _date(r)}, lambda a: parse_millis(a["text"])),
    "localeCompare": (
        lambda r: {"a": _ascii(r), "b": _ascii(r)},
        lambda a: compare(a["a"], a["b"]),
    ),
    "tokenize": (lambda r: {"text": _words(r)}, lambda a: tokenize(a["text"])),
    "expandedTokenGroups": (
        lambda r: {"query": _words(r)},
        lambda a: [list(group) for group in groups_of(a["query"])],
    ),
    "ftsQuery": (lambda r: {"query": _words(r)}, lambda a: QueryWords(a["query"]).fts(12)),
    "normalizeQuery": (lambda r: {"query": _words(r)}, lambda a: normalized(a["query"])),
    "classifyIntent": (
        lambda r: {"query": _words(r)},
        lambda a: classify(a["query"]).category,
    ),
    "extractTemporal": (
        lambda r: {"text": _words(r)},
        lambda a: event_date(a["text"], NOW_MS),
    ),
    "clip": (
        lambda r: {"content": _words(r), "limit": r.randint(-1, 30)},
        lambda a: clip(a["content"], a["limit"])[0],
    ),
}
PICK = {"classifyIntent": "category", "extractTemporal": "event_date", "clip": "content"}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_equal(kind: str, seed: int) -> None:
    make, ask = KINDS[kind]
    rng = random.Random(f"{kind} {seed}")
    asked = [make(rng) for _ in range(EACH)]
    answers = engine().ask({"op": kind, "now": NOW, "args": args} for args in asked)
    different = []
    for args, answer in zip(asked, answers, strict=True):
        wanted = answer["result"][PICK[kind]] if kind in PICK else answer["result"]
        if (got := ask(args)) != wanted:
            different.append((args, wanted, got))
    if kind == "dateParse":
        # Loose forms ("2026-02-27 Z") are left unread, and never read as something else.
        assert len([one for one in different if one[2] is None]) < EACH // 8
        different = [one for one in different if one[2] is not None]
    assert not different, f"{len(different)} of {EACH} differ: {different[:5]!a:.2000}"
