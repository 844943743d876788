from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memlab.text.javascript import cut, length
from memlab.text.units import joined, units

ANY = st.text(st.characters(blacklist_categories=()))


@given(ANY)
def test_a_character_of_units_is_a_unit(text: str) -> None:
    assert len(units(text)) == length(text)
    assert max(units(text), default="") <= "\uffff"


@given(ANY)
def test_halves_that_belong_together_are_joined_and_only_those(text: str) -> None:
    whole = joined(text)
    assert joined(units(text)) == whole == joined(whole)
    assert units(whole) == units(text)


@given(ANY, st.integers(-9, 9), st.integers(-9, 9))
def test_slices_are_javascripts(text: str, start: int, end: int) -> None:
    assert joined(units(text)[start:end]) == cut(text, start, end)


def test_examples() -> None:
    assert units("a🚀") == "a\ud83d\ude80"
    assert joined("\ud83d" + "\ude80") == "🚀"
    assert joined("\ude80\ud83d") == "\ude80\ud83d"
