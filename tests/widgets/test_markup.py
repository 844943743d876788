from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.text.javascript import well_formed
from memlab.widgets.markup import escaped, note, prose, tag
from tests.widgets.toys import HOSTILE, harmless

ANY_TEXT = st.text(st.characters(exclude_characters="\r\x00"), max_size=60)


@given(ANY_TEXT)
def test_every_text_stays_text(text: str) -> None:
    reader = harmless(prose(text) + tag("div", escaped(text), title=text) + note([text]))
    assert reader.text.startswith(well_formed(text) * 2)
    assert well_formed(text) in reader.values


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_text(text: str) -> None:
    assert harmless(prose(text)).text == well_formed(text)


def test_half_an_emoji_can_be_sent_to_the_browser() -> None:
    assert escaped("\ud83d") == "\ufffd"
    assert escaped("\ud83d\ude80") == "🚀"


def test_attributes_that_are_none_are_left_out() -> None:
    assert tag("b", "", class_="x", title=None) == '<b class="x"></b>'


def test_a_note_joins_what_is_there() -> None:
    assert harmless(note(["a", "", "<b>"])).text == "a · <b>"
