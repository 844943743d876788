from __future__ import annotations

import pytest

from memlab.text.substance import is_substantive


@pytest.mark.parametrize("text", ["a", "7", "好", "Ⅷ", "½", "... ok", "𝔡", "\ud83dx"])
def test_a_letter_or_digit_of_any_script_says_something(text: str) -> None:
    assert is_substantive(text)


@pytest.mark.parametrize("text", ["", ".", "...", " \n", "🚀", "—!?", "\ud83d", "_", "/"])
def test_marks_alone_say_nothing(text: str) -> None:
    assert not is_substantive(text)
