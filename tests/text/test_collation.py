"""The order of texts, with ICU and without it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.text import collation
from memlab.text.collation import compare, is_exact, uses_icu

# Each list is in the order of ICU's root collation.
ORDERED = [
    ["", " ", "_", "-", ",", ".", "1", "a", "A", "b"],
    ["resume", "résumé", "Résumé", "resumes"],
    ["strasse", "straße", "strast"],
    ["~", "€", "½", "2"],
    ["İstanbul", "ıspanak", "jazz"],
    ["zebra", "ωμέγα", "дом", "בית", "بيت", "서버", "データ", "数据"],
    ["…", "“x”", "→", "a"],
    ["サーバー", "데이터"][::-1],
    ["file", "ﬁle", "filed"],
]


@pytest.fixture
def without_icu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if PyICU were not installed."""
    monkeypatch.setitem(sys.modules, "icu", None)
    collation._icu.cache_clear()
    yield
    monkeypatch.undo()
    collation._icu.cache_clear()


def check_ordered() -> None:
    for texts in ORDERED:
        for left, right in pairwise(texts):
            assert (left, right, compare(left, right)) == (left, right, -1)
            assert (left, right, compare(right, left)) == (left, right, 1)


def test_the_order_without_icu(without_icu: None) -> None:
    assert not uses_icu()
    check_ordered()
    assert is_exact("a", "B")
    assert is_exact("é", "é")
    assert not is_exact("é", "f")


def test_the_order_with_icu() -> None:
    pytest.importorskip("icu", reason="PyICU is not installed: pip install 'memlab[icu]'")
    assert uses_icu()
    check_ordered()
    assert is_exact("é", "f")


@given(st.text(), st.text(), st.text())
def test_it_is_an_order(left: str, middle: str, right: str) -> None:
    assert compare(left, right) == -compare(right, left)
    if compare(left, middle) <= 0 and compare(middle, right) <= 0:
        assert compare(left, right) <= 0


def test_it_is_an_order_without_icu_too(without_icu: None) -> None:
    test_it_is_an_order()


@given(st.text(st.characters(max_codepoint=127)), st.text(st.characters(max_codepoint=127)))
def test_ascii_is_the_same_with_and_without(left: str, right: str) -> None:
    first, second = collation._key(left), collation._key(right)
    assert compare(left, right) == (first > second) - (first < second)
