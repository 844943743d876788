from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memlab import tokens
from memlab.text.javascript import length
from memlab.text.tokens import count_tokens, cut_to_estimate, estimate_tokens

ANY = st.text(st.characters(blacklist_categories=()))


def test_the_two_vocabularies_count_for_themselves() -> None:
    assert count_tokens(["hello world", ""]) == [2, 0]
    count = tokens("用户服务器部署在腾讯云国内节点")
    assert (count.chars, count.estimate, count.o200k, count.cl100k) == (15, 4, 8, 16)
    assert count.error == -0.5


def test_special_tokens_are_plain_text_and_half_an_emoji_is_counted() -> None:
    assert count_tokens(["<|endoftext|>"])[0] > 1
    assert count_tokens(["\ud83d"]) == count_tokens(["\ufffd"])


def test_no_text_has_no_error() -> None:
    assert tokens("").error == 0.0


@given(ANY)
def test_the_estimate_is_a_quarter_of_the_units(text: str) -> None:
    assert (estimate_tokens(text) - 1) * 4 < length(text) <= estimate_tokens(text) * 4


@given(ANY, st.integers(-2, 20))
def test_a_cut_fits_its_estimate(text: str, limit: int) -> None:
    short = cut_to_estimate(text, limit)
    assert length(short) <= max(1, limit * 4)
    assert short == text or short.endswith("…")
    if length(text) <= limit * 4:
        assert short == text
