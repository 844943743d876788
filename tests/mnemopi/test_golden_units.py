"""Golden answers of the engine's single functions, as far as recall uses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from memlab.mnemopi.dates import event_date
from memlab.mnemopi.intent import classify
from memlab.mnemopi.lexicon import (
    QueryWords,
    TextWords,
    asks_current,
    current_factor,
    fact_groups,
    groups_of,
    normalized,
    relevance,
)
from memlab.mnemopi.records import Record, clip
from memlab.mnemopi.rerank import mmr
from memlab.text.collation import compare
from memlab.text.dates import parse_millis
from memlab.text.javascript import length, round4, to_fixed
from memlab.text.protocol import strip_protocol
from tests.golden_data import lines

Args = dict[str, Any]
LINES = lines("units.jsonl")
# Answered by other parts of memlab, each with a test of its own.
ELSEWHERE = {
    "composeRecallQuery",
    "fallbackQuery",
    "prepareTranscripts",
    "retainedTurnCursor",
    "stripMemoryTags",
    "truncateApproxTokens",
    "truncateRecallQuery",
}
# What the specification (section 21) says cannot be met outside the engine's runtime: loose dates
# and an order that ICU knows. memlab meets all four.
HARD = {"March 1, 2026", "2026-3-1", "é", "ä"}


def _clip(a: Args) -> dict[str, Any]:
    text, cut = clip(a["content"], a["limit"])
    return {"content": text, "truncated": cut, "fullLength": length(a["content"])}


def _mmr(a: Args) -> list[int]:
    items = [Record({**item, "place": place}) for place, item in enumerate(a["items"])]
    picked = mmr(items, a.get("lambda", 0.7), a.get("topK", 10))
    return [record.fields["place"] for record in picked]


def _intent(a: Args) -> dict[str, Any]:
    found = classify(a["query"])
    return {
        "category": found.category,
        "confidence": found.confidence,
        "vec_bias": found.bias.vec,
        "fts_bias": found.bias.fts,
        "importance_bias": found.bias.importance,
    }


def _relevance(a: Args) -> float:
    groups = groups_of(a["query"], a.get("useSynonyms", True))
    return relevance(groups, TextWords(a["content"]), normalized(a["query"]))


def _current(a: Args) -> float:
    return current_factor(a["content"].lower()) if a["currentSensitive"] else 1


ASKED: dict[str, Callable[[Args], Any]] = {
    "clip": _clip,
    "classifyIntent": _intent,
    "currentContentAdjustment": _current,
    "dateParse": lambda a: parse_millis(a["text"]),
    "expandedTokenGroups": lambda a: [
        list(group) for group in groups_of(a["query"], a.get("useSynonyms", True))
    ],
    "factExpandedTokenGroups": lambda a: [
        list(group) for group in fact_groups(a["query"], a["content"])
    ],
    "ftsQuery": lambda a: QueryWords(a["query"], a.get("useSynonyms", True)).fts(12),
    "lexicalGroupRelevance": _relevance,
    "localeCompare": lambda a: compare(a["a"], a["b"]),
    "mmrRerank": _mmr,
    "normalizeQuery": lambda a: normalized(a["query"]),
    "queryAsksCurrent": lambda a: asks_current(a["query"]),
    "round4": lambda a: round4(a["x"]),
    "stripRetentionProtocolMarkers": lambda a: strip_protocol(a["content"]),
    "toFixed1": lambda a: to_fixed(a["x"], 1),
}


def test_every_kind_is_asked() -> None:
    kinds = Counter(line["op"] for line in LINES)
    assert sum(kinds.values()) == 1885
    assert set(kinds) == set(ASKED) | ELSEWHERE | {"extractTemporal"}


@pytest.mark.parametrize("kind", sorted(ASKED))
def test_function(kind: str) -> None:
    wrong = []
    for line in LINES:
        if line["op"] != kind:
            continue
        expected = line["result"]
        if kind == "classifyIntent":
            expected = {name: expected[name] for name in expected if name != "signals"}
        if (got := ASKED[kind](line["args"])) != expected:
            wrong.append((line["args"], expected, got))
    assert not wrong


def test_dates_in_queries() -> None:
    wrong = []
    for line in LINES:
        if line["op"] == "extractTemporal":
            reference = parse_millis(line["args"].get("reference") or line["now"])
            assert reference is not None
            got = event_date(line["args"]["text"], reference)
            if got != line["result"]["event_date"]:
                wrong.append((line["args"], line["result"]["event_date"], got))
    assert not wrong


def test_the_four_hard_ones_are_asked() -> None:
    asked = {
        line["args"].get("text", line["args"].get("a"))
        for line in LINES
        if line["op"] in ("dateParse", "localeCompare")
    }
    assert asked >= HARD
