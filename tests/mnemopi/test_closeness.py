"""The cosine of many vectors at once equals the sum in order, bit for bit."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.mnemopi.vectors import closeness, parse_vector

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
USUAL = st.floats(-1, 1)


def _in_order(left: Sequence[float], right: Sequence[float]) -> float:
    """The definition: one number after the other, the shorter vector padded with zeros."""
    dot = left_square = right_square = 0.0
    for place in range(max(len(left), len(right))):
        x = left[place] if place < len(left) else 0.0
        y = right[place] if place < len(right) else 0.0
        x = x if math.isfinite(x) else 0.0
        dot, left_square, right_square = dot + x * y, left_square + x * x, right_square + y * y
    if left_square == 0 or right_square == 0:
        return 0.0
    return dot / (math.sqrt(left_square) * math.sqrt(right_square))


def _bits(value: float) -> str:
    return "nan" if math.isnan(value) else value.hex()


@given(st.lists(USUAL, max_size=40), st.lists(st.lists(USUAL, max_size=40), max_size=8))
def test_usual_vectors(query: list[float], vectors: list[list[float]]) -> None:
    got = closeness(query, vectors)
    assert [_bits(x) for x in got] == [_bits(_in_order(query, vector)) for vector in vectors]


@given(
    st.lists(st.floats(width=64), max_size=6),
    st.lists(st.lists(NUMBERS, max_size=6), min_size=1, max_size=4),
)
def test_any_numbers(query: list[float], vectors: list[list[float]]) -> None:
    """Huge numbers overflow alike, and what is not finite in a query counts as 0."""
    got = closeness(query, vectors)
    assert [_bits(x) for x in got] == [_bits(_in_order(query, vector)) for vector in vectors]


@pytest.mark.parametrize(
    ("stored", "vector"),
    [
        ("[1, 0.5, -2e-3]", (1.0, 0.5, -0.002)),
        ("[null, true, false, \"0.5\", \" 2 \", \"\", \"0x10\"]", (0.0, 1.0, 0.0, 0.5, 2.0, 0.0, 16.0)),
        ("[]", ()),
        ("[1, \"x\"]", None), ("[1, [2]]", (1.0, 2.0)), ("[1, [2, 3]]", None), ("[1, {}]", None), ("[1e400]", None), ("[NaN]", None),
        (f"[{10**400}]", None), ("{}", None), ("no json", None), ("", None), (None, None), (b"[1]", None),
    ],
)  # fmt: skip
def test_stored_vectors(stored: object, vector: tuple[float, ...] | None) -> None:
    assert parse_vector(stored) == vector


def test_a_plain_vector_reads_as_json_does() -> None:
    values = [0.10000000149011612, -3.4e38, 7]
    assert parse_vector(json.dumps(values)) == tuple(float(value) for value in values)
