"""The hash that names banks: every length, every branch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.text.wyhash import base36, hash36, wyhash
from tests.golden_data import lines

GOLDEN = [line for line in lines("banknames.jsonl") if line["op"].startswith("bunHash")]


def test_golden_hashes() -> None:
    assert len(GOLDEN) == 34
    for line in GOLDEN:
        text = line["args"]["text"]
        own = str(wyhash(text)) if line["op"] == "bunHash" else hash36(text)
        assert own == line["result"], text


@pytest.mark.parametrize("size", [0, 1, 3, 4, 8, 16, 17, 32, 47, 48, 49, 64, 96, 97, 144, 145])
def test_the_last_byte_always_counts(size: int) -> None:
    """Each branch of the hash reads all of its bytes."""
    text = "x" * size
    assert len({wyhash(text), wyhash(text + "y"), wyhash(text + "z")}) == 3


def test_a_lone_surrogate_is_hashed_as_its_replacement() -> None:
    assert wyhash("a\ud83d") == wyhash("a\ufffd")


@given(st.integers(min_value=0, max_value=2**64 - 1))
def test_base_36_reads_back(number: int) -> None:
    text = base36(number)
    assert int(text, 36) == number
    assert text == text.lower()
