from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memlab import transcript
from memlab.autorecall import Transcript, retained_turns
from memlab.errors import InputError
from memlab.models import Message
from tests.autorecall.toys import said

TALK = [
    Message(
        "user", "Fix the build <memories>old\nnews</memories>", datetime(2026, 3, 1, tzinfo=UTC)
    ),
    Message("assistant", "."),
    Message("toolResult", "exit 1"),
    Message("assistant", "Done."),
    Message("user", "[role: user]\nNow deploy\n[user:end]"),
]


def test_plain() -> None:
    assert transcript(TALK) == Transcript(
        "[role: user]\nFix the build\n[user:end]\n\n[role: assistant]\nDone.\n[assistant:end]\n\n"
        "[role: user]\n[role: user]\nNow deploy\n[user:end]\n[user:end]",
        3,
    )


def test_embeddable_has_no_marks() -> None:
    assert transcript(TALK, "embeddable") == Transcript("Fix the build\n\nDone.\n\nNow deploy", 3)


def test_what_the_user_said() -> None:
    text, count = transcript(TALK, "user")
    assert count == 2
    assert "Done" not in (text or "")


def test_the_last_turn_alone() -> None:
    text, count = transcript(TALK, last_turn=True)
    assert (text, count) == ("[role: user]\n[role: user]\nNow deploy\n[user:end]\n[user:end]", 1)
    assert transcript([Message("assistant", "hello there, all")], last_turn=True) == Transcript(
        None, 0
    )


def test_times_are_written_where_there_are_any() -> None:
    text = transcript(TALK, timestamps=True).text or ""
    assert text.startswith("[role: user]\n[timestamp: 2026-03-01T00:00:00.000Z]\nFix the build\n")
    assert text.count("[timestamp:") == 1


def test_too_little_is_nothing() -> None:
    assert transcript(["ok"], "embeddable") == Transcript(None, 0)
    assert transcript([]) == Transcript(None, 0)
    assert transcript(["..."], "plain") == Transcript(None, 0)


def test_without_stripping_the_memories_are_written_down_again() -> None:
    assert "old\nnews" in (transcript(TALK, strip=False).text or "")


def test_everything_can_be_taken_as_it_is() -> None:
    assert "exit 1" in (transcript(TALK, history="given").text or "")
    assert "exit 1" not in (transcript(TALK).text or "")


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match='"embeddable"'):
        transcript(said("a question"), "short")  # type: ignore[arg-type]


def test_the_cursor_takes_the_largest() -> None:
    rows = [
        {
            "content": "[role: user]\na\n[role: user]",
            "sourceId": "s-1",
            "retainedThroughUserTurn": None,
        },
        {"content": "", "sourceId": "t", "retainedThroughUserTurn": 1},
        {"content": "[role: user]\n" * 9, "sourceId": "sx", "retainedThroughUserTurn": None},
        {"content": "[role: user]\n" * 9, "sourceId": None, "retainedThroughUserTurn": None},
    ]
    assert retained_turns(rows, "s") == 2
    assert retained_turns([], "s") == 0
