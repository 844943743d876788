from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab import RecallOptions
from memlab.errors import InputError
from memlab.widgets.knob import Knob, knobs, same
from tests.widgets.toys import ToyOptions

MNEMOPI = knobs(RecallOptions)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def test_every_option_of_a_model_becomes_a_knob() -> None:
    assert list(MNEMOPI) == list(RecallOptions.model_fields)
    kinds = {name: MNEMOPI[name].kind for name in ("limit", "mode", "mmr", "now", "query_vector")}
    assert kinds == {
        "limit": "number",
        "mode": "choice",
        "mmr": "switch",
        "now": "text",
        "query_vector": "list",
    }
    assert MNEMOPI["mode"].choices == ("enhanced", "plain", "facts")
    assert MNEMOPI["veracity_factors"].kind == "json"
    assert MNEMOPI["min_relevance"].items == "number"
    assert knobs(ToyOptions)["tags"].items == "text"


@pytest.mark.parametrize("name", MNEMOPI)
def test_a_default_reads_back_as_itself(name: str) -> None:
    knob = MNEMOPI[name]
    if knob.kind not in {"switch", "choice"}:
        assert same(knob.read(knob.shown(knob.default)), knob.default)


@given(NUMBERS)
def test_numbers_read_back_as_themselves(value: float) -> None:
    knob = Knob("x", "number", 1.0)
    assert knob.read(knob.shown(value)) == value


@given(st.lists(NUMBERS, max_size=6).map(tuple))
def test_lists_read_back_as_themselves(value: tuple[float, ...]) -> None:
    knob = Knob("x", "list", (), items="number")
    assert knob.read(knob.shown(value)) == value
    assert knob.read(str(list(value))) == value


def test_an_empty_list_is_not_an_unset_one() -> None:
    knob = Knob("x", "list", None, optional=True)
    assert knob.read(knob.shown(())) == ()
    assert knob.read(knob.shown(None)) is None


@given(st.text(max_size=20).filter(lambda text: text.strip() not in ("", "''", '""')))
def test_texts_read_back_as_themselves(value: str) -> None:
    knob = Knob("x", "text", None, optional=True)
    assert knob.read(knob.shown(value)) == value


def test_an_empty_box_means_the_default_and_two_quotes_mean_no_text() -> None:
    optional = Knob("x", "text", None, optional=True)
    assert optional.read(" ") is None
    assert optional.read("''") == ""
    assert optional.shown("") == "''"
    assert Knob("x", "text", "mid").read("") == ""
    assert Knob("x", "number", 8).read(" ") == 8
    assert Knob("x", "number", 8, optional=True).read("") is None


@pytest.mark.parametrize(
    ("knob", "text", "words"),
    [
        (Knob("limit", "number", 8), "eight", "limit: 'eight' is not a number. Write it like 8"),
        (Knob("limit", "number", 8), "nan", "limit: 'nan' is not a number"),
        (Knob("v", "list", (), items="number"), "1, b", "v: 'b' is not a number"),
        (Knob("v", "list", (), items="number"), "[1, ", r"v: '\[1,' is not JSON"),
        (Knob("f", "json", {"a": 1.0}), "a=1", r"f: 'a=1' is not JSON .* like {\"a\": 1.0}"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(knob: Knob, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        knob.read(text)


def test_whole_numbers_are_written_without_a_point() -> None:
    assert Knob("x", "number", 8).shown(8.0) == "8"
    assert repr(Knob("x", "number", 8).read("8.0")) == "8"
    assert Knob("x", "number", 8).read("inf") == math.inf


def test_the_tooltip_says_what_it_is_for_and_its_default() -> None:
    assert MNEMOPI["limit"].tooltip.startswith("limit: how many hits at most")
    assert MNEMOPI["limit"].tooltip.endswith("Default: 8.")
    assert MNEMOPI["now"].tooltip.count("efault") == 1
    assert MNEMOPI["source"].tooltip.endswith("Default: not set.")
    assert Knob("plain", "number", 8).tooltip == "plain. Default: 8."


@pytest.mark.parametrize(
    ("value", "default", "equal"),
    [
        ((1, 2), [1.0, 2.0], True),
        ({"a": 1}, {"a": 1.0}, True),
        (1, True, False),
        (8, 8.0, True),
        (None, "", False),
    ],
)
def test_same_sees_through_kinds_of_lists(value: Any, default: Any, equal: bool) -> None:
    assert same(value, default) is equal
