"""The agent's rules for texts, numbers and words."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.settings import reading
from memlab.text.javascript import BLANKS

blanks = st.text(BLANKS, max_size=3)
no_digit = st.text(max_size=8).filter(lambda text: not text[:1].isdigit())


@given(blanks, st.sampled_from(["", "+", "-"]), st.integers(0, 2**53), no_digit)
def test_an_integer_is_the_base_10_prefix(before: str, sign: str, value: int, after: str) -> None:
    assert reading.integer(f"{before}{sign}{value}{after}") == (-value if sign == "-" else value)


@given(st.text().filter(lambda text: not text.lstrip(BLANKS + "+-")[:1].isdigit()))
def test_other_text_is_no_integer(raw: str) -> None:
    assert reading.integer(raw) is None


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("5000ms", 5000),
        ("2.5", 2),
        ("1e3", 1),
        ("0x10", 0),
        ("007", 7),
        ("1_000", 1),
        ("-12", -12),
        ("٣", None),  # an Arabic digit: JavaScript's are ASCII
        ("x1", None),
        ("- 1", None),
        ("+-1", None),
        ("\x1c1", None),  # a blank to Python alone
        ("9" * 400, None),  # beyond every number
        ("9007199254740993", 9007199254740992),  # as a double
        ("", None),
    ],
)
def test_integer(raw: str, value: int | None) -> None:
    assert reading.integer(raw) == value


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["", "x", " 1", "e"]))
def test_a_decimal_is_the_longest_prefix(value: float, after: str) -> None:
    assert reading.decimal(f" {value!r}{after}") == value


@pytest.mark.parametrize(
    ("raw", "value"),
    [(".5", 0.5), ("5.", 5.0), ("1e", 1.0), ("1e999", None), ("Infinity", None), ("NaN", None)],
)
def test_decimal(raw: str, value: float | None) -> None:
    assert reading.decimal(raw) == value


@pytest.mark.parametrize("raw", ["1", "y", "Y", "true", "TRUE", "yes", "YES", "on", "ON"])
def test_nine_words_are_a_yes(raw: str) -> None:
    assert reading.flag(raw) is True


@given(st.text(min_size=1).filter(lambda raw: raw.lower() not in {"1", "y", "true", "yes", "on"}))
def test_any_other_word_is_a_no(raw: str) -> None:
    assert reading.flag(raw) is False


def test_an_empty_flag_is_unset_and_mixed_case_is_a_no() -> None:
    assert reading.flag("") is None
    assert reading.flag("True") is False


@pytest.mark.parametrize(
    ("raw", "value"), [("1", True), (" 1\n", True), ("true", False), ("0", False), (" ", None)]
)
def test_the_engine_knows_one_yes(raw: str, value: bool | None) -> None:
    assert reading.switch(raw) is value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("  a b ", "a b"),
        ('"a\\nb"', "a\nb"),
        ('"open', '"open'),
        ('"1" 2', '"1" 2'),
        ("\ufeff", None),
        ("", None),
    ],
)
def test_text(raw: str, value: str | None) -> None:
    assert reading.text(raw) == value


@pytest.mark.parametrize(
    ("value", "kind", "read"),
    [
        (True, bool, True),
        (1, bool, None),
        ("true", bool, None),
        (8, int, 8),
        (8.9, int, 8),
        (-0.5, int, -1),
        (True, int, None),
        ("8", int, None),
        (math.inf, int, None),
        (math.nan, float, None),
        (0.5, float, 0.5),
        (["a", "b"], tuple, ("a", "b")),
        (["a", 1], tuple, None),
        ("a", tuple, None),
        ("a", str, "a"),
        (1, str, None),
        (None, str, None),
    ],
)
def test_a_file_value_must_have_the_type(value: Any, kind: type, read: Any) -> None:
    found = reading.from_file(value, kind, ())
    assert found == read
    assert type(found) is type(read)


def test_a_word_of_the_file_must_be_listed() -> None:
    assert reading.from_file("mid", str, ("low", "mid")) == "mid"
    assert reading.from_file("MID", str, ("low", "mid")) is None
