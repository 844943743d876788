"""JavaScript's lengths, cuts, blanks, numbers and order."""

from __future__ import annotations

import math
import re

from hypothesis import given
from hypothesis import strategies as st

from memlab.text.javascript import (
    BLANKS,
    cut,
    length,
    number,
    number_text,
    order_key,
    round4,
    split_blanks,
    to_fixed,
    trim,
    well_formed,
)

texts = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("aé日🚀\ud83d\ude80\u2028\x85\ufeff\xa0 \n"),
        st.characters(categories=["Cs"]),
    ),
    max_size=40,
)
finite = st.floats(allow_nan=False, allow_infinity=False)


def _units(text: str) -> list[int]:
    raw = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]


@given(texts)
def test_length_counts_utf16_units(text: str) -> None:
    assert length(text) == len(_units(text)) == len(text) + sum(c > "\uffff" for c in text)


@given(texts, st.integers(-50, 50), st.none() | st.integers(-50, 50))
def test_cut_is_a_slice_of_units(text: str, start: int, end: int | None) -> None:
    assert _units(cut(text, start, end)) == _units(text)[start:end]


def test_a_cut_inside_a_rocket_leaves_half_of_it() -> None:
    assert cut("🚀" * 401, 0, 799)[-1] == "\ud83d"
    assert length(cut("🚀" * 401, 0, 800)) == 800


@given(texts)
def test_joined_halves_are_whole_again(text: str) -> None:
    middle = length(text) // 2
    assert _units(cut(text, 0, middle) + cut(text, middle)) == _units(text)


@given(texts)
def test_well_formed_can_be_written(text: str) -> None:
    written = well_formed(text)
    assert written.encode("utf-8").decode("utf-8") == written
    assert length(written) == length(text)
    if not re.search("[\ud800-\udfff]", text):
        assert written == text


def test_blanks_are_javascripts() -> None:
    assert trim("\ufeff\u3000 x \u2028\xa0") == "x"
    # Python would strip these, JavaScript does not.
    assert trim("\x1cx\x85") == "\x1cx\x85"
    assert split_blanks("a\ufeffb\x85c  d") == ["a", "b\x85c", "d"]
    assert len(BLANKS) == 25


@given(st.lists(texts, max_size=8))
def test_order_is_by_units(words: list[str]) -> None:
    assert [_units(w) for w in sorted(words, key=order_key)] == sorted(map(_units, words))


def test_order_differs_from_pythons() -> None:
    assert sorted(["\uffff", "🚀"], key=order_key) == ["🚀", "\uffff"]


@given(st.floats(-1e6, 1e6))
def test_round4_is_near_and_halves_go_up(value: float) -> None:
    rounded = round4(value)
    assert abs(rounded - value) <= 0.5e-4 * (1 + 1e-9) + abs(value) * 1e-12
    assert round4(-0.00005) == 0
    assert round4(0.00005) == 0.0001


@given(finite)
def test_number_text_reads_back(value: float) -> None:
    assert float(number_text(value)) == value
    assert "e+0" not in number_text(value)


def test_number_text_as_javascript_prints() -> None:
    shown = {
        0.0: "0",
        1.0: "1",
        0.6667: "0.6667",
        1e21: "1e+21",
        123456789012345680000.0: "123456789012345680000",
        1e-7: "1e-7",
        0.000001: "0.000001",
        -2.5: "-2.5",
        1.5e-10: "1.5e-10",
        math.inf: "Infinity",
    }
    assert {value: number_text(value) for value in shown} == shown
    assert number_text(math.nan) == "NaN"
    assert number_text(-0.0) == "0"


@given(st.floats(-1e15, 1e15), st.integers(0, 6))
def test_to_fixed_is_the_nearest(value: float, digits: int) -> None:
    text = to_fixed(value, digits)
    assert re.fullmatch(r"-?\d+" + (rf"\.\d{{{digits}}}" if digits else ""), text)
    assert abs(float(text) - value) <= 0.5 * 10.0**-digits + abs(value) * 1e-15


def test_to_fixed_ties_go_away_from_zero() -> None:
    assert (to_fixed(0.25, 1), to_fixed(-0.25, 1), to_fixed(2.5, 0)) == ("0.3", "-0.3", "3")
    assert to_fixed(1e21, 1) == "1e+21"


@given(st.one_of(finite, st.integers(-(10**6), 10**6)))
def test_numbers_in_text_are_read(value: float) -> None:
    assert number(f" \ufeff{number_text(float(value))}\n", 7.0) == float(value)


def test_odd_values_as_numbers() -> None:
    read = {None: 0.0, "": 0.0, " ": 0.0, "0x1f": 31.0, "1e3": 1000.0, ".5": 0.5, "5.": 5.0}
    assert {value: number(value, 7.0) for value in read} == read
    for refused in ("1_000", "nan", "Infinity", "12px", "1e999", math.nan, math.inf, {}):
        assert number(refused, 7.0) == 7.0
    assert (number(True, 7.0), number(False, 7.0)) == (1.0, 0.0)
