"""Picking by coverage and by maximal marginal relevance, on three records by hand."""

from __future__ import annotations

import pytest

from memlab.mnemopi.records import Record
from memlab.mnemopi.rerank import cover, mmr

RECORDS = [
    Record({"id": name, "tier": "working", "content": content, "score": score})
    for name, content, score in (
        ("a", "red valve", 0.50), ("b", "red valve", 0.49), ("c", "blue gauge", 0.45),
    )
]  # fmt: skip


def ids(records: list[Record]) -> str:
    return "".join(record.fields["id"] for record in records)


@pytest.mark.parametrize(
    ("limit", "gain", "picked"),
    [(0, 0.1, ""), (1, 0.1, "a"), (2, 0.1, "ac"), (3, 0.1, "acb"), (9, 0.1, "acb"), (2, 0.0, "ab")],
)
def test_cover_picks_new_words_up_to_the_limit(limit: int, gain: float, picked: str) -> None:
    asked = {"red", "valve", "blue", "gauge"}
    assert ids(cover(RECORDS, asked, limit, gain)) == picked


@pytest.mark.parametrize(
    ("weight", "limit", "picked"),
    [(1.0, 3, "abc"), (0.7, 3, "acb"), (0.7, 2, "ac"), (0.7, 0, ""), (0.7, 1, "a"), (0.0, 2, "ac")],
)
def test_mmr_puts_the_like_behind(weight: float, limit: int, picked: str) -> None:
    assert ids(mmr(RECORDS, weight, limit)) == picked
