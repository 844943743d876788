"""Foreign text on a terminal."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from memlab.text.terminal import one_line, printable


@given(st.text(st.characters() | st.sampled_from("\x1b\x07\u202e\ud83d\n"), max_size=60))
def test_nothing_moves_the_cursor(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text)
    assert all(char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs") for char in shown)
    assert "\u202e" not in shown
    shown.encode()


@given(st.text(max_size=200), st.integers(10, 60))
def test_one_line_fits(text: str, width: int) -> None:
    line = one_line(text, width)
    assert len(line) <= width
    assert "\n" not in line


def test_cut_at_a_word() -> None:
    assert one_line("the quick brown fox jumps", 18) == "the quick brown …"
    assert one_line("short", 18) == "short"
    assert one_line("x" * 40, 18) == "x" * 16 + " …"
    assert printable("a\x1b[2Jb") == "a\ufffd[2Jb"
    assert printable("שלום 日本") == "שלום 日本"
