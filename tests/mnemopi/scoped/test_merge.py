"""Merging: the same memory once, the better one, in the agent's order."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab import Hit
from memlab.mnemopi.scoped.merge import compare_hits, in_order, merged, uncertain_ties
from memlab.text import collation

A = Hit(1, "a", "text", 0.5, "working", timestamp="2026-01-01")
hits = st.builds(
    Hit,
    rank=st.just(1),
    id=st.sampled_from(["", "a", "b", "c"]),
    text=st.sampled_from(["x", "X", "y", "é", ""]),
    score=st.sampled_from([0.1, 0.2, None]),
    tier=st.just("working"),
    timestamp=st.sampled_from([None, "2026-01-01", "2026-02-01"]),
)


def test_the_order() -> None:
    later = replace(A, id="b", timestamp="2026-02-01")
    higher = replace(A, id="c", score=0.6, timestamp=None)
    text = replace(A, id="d", text="Text")
    none = replace(A, id="e", score=None)
    assert in_order([none, text, A, later, higher]) == [higher, later, A, text, none]


def test_the_same_id_or_the_same_text_is_the_same_memory() -> None:
    better = replace(A, text="other", score=0.9)
    assert merged([A, better]) == [better]
    assert merged([better, A]) == [better]
    twin = replace(A, id="b")
    assert merged([A, twin]) == [A], "equals: the first stays"
    # "b" is known by its text, and brings its id along.
    assert merged([A, twin, replace(A, id="b", text="third", score=0.1)]) == [A]
    nameless = replace(A, id="", text="t2")
    assert merged([A, nameless, replace(nameless, text="t3")]) == [
        A, nameless, replace(nameless, text="t3"),
    ]  # fmt: skip


@given(st.lists(hits))
def test_no_id_and_no_text_is_left_twice(found: list[Hit]) -> None:
    kept = merged(found)
    ids = [hit.id for hit in kept if hit.id]
    assert len({hit.id for hit in kept if hit.id} | {""}) == len(set(ids)) + 1
    assert {hit.text for hit in kept} <= {hit.text for hit in found}
    ordered = in_order(kept)
    assert all(compare_hits(left, right) <= 0 for left, right in pairwise(ordered))


def test_ties_that_are_not_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    ties = [replace(A, text="é"), replace(A, text="f"), replace(A, text="g")]
    monkeypatch.setitem(sys.modules, "icu", None)
    collation._icu.cache_clear()
    assert uncertain_ties(ties) == 1
    assert uncertain_ties([A, replace(A, text="é", score=0.4)]) == 0
    bare = [replace(one, score=None, timestamp=None) for one in ties]
    assert uncertain_ties(bare) == 1
    assert uncertain_ties([replace(ties[0], score=0.0, timestamp=""), bare[1]]) == 1
    monkeypatch.undo()
    collation._icu.cache_clear()
    if collation.uses_icu():
        assert uncertain_ties(ties) == 0
