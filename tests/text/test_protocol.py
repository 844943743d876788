from __future__ import annotations

import pytest

from memlab.text.protocol import is_protocol_line, strip_protocol


@pytest.mark.parametrize(
    "line",
    [
        "[role: user]",
        "[role:tool-x]",
        "[role: \t user]",
        " [user:end] ",
        "[timestamp: 2026]",
        "[timestamp:\u2028x]",
    ],
)
def test_marks(line: str) -> None:
    assert is_protocol_line(line)


@pytest.mark.parametrize(
    "line",
    [
        "[role: Ärger]",
        "[role: a b]",
        "[timestamp: ]",
        "[timestamp:x]",
        "x [user:end]",
        "[timestamp: a\u2028b]",
        "",
    ],
)
def test_no_marks(line: str) -> None:
    assert not is_protocol_line(line)


def test_lines_go_and_gaps_close() -> None:
    text = "[role: user]\r\nhi\n[user:end]\n\n\n\n[role: assistant]\nyo\n[assistant:end]"
    assert strip_protocol(text) == "hi\n\nyo"
