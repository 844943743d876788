"""Every row of the table of measured cases, and what holds for every cut."""

from __future__ import annotations

from random import Random

import pytest

from memlab import compose_query
from memlab.autorecall.truncate import cut_query, truncate
from memlab.models import Conversation, Message
from memlab.text.javascript import length
from tests.autorecall.talks import talk
from tests.autorecall.toys import said

THREE = said("first line\nsecond line\nthird line", "answer A\nanswer B", "now?")


def test_a_long_background_loses_the_question() -> None:
    background = "background " * 109 + "x"
    prompt = background + "What is the rollback code?"
    query = compose_query([prompt], turns=1, max_chars=800)
    assert query.text == prompt[:800]
    assert "rollback" not in query.text
    assert any("question mark" in note for note in query.notes)


def test_an_emoji_is_cut_in_half() -> None:
    query = compose_query(["🚀" * 401], turns=1, max_chars=799)
    assert query.chars == 799
    assert query.text_utf16 == "🚀" * 399 + "\ud83d"
    assert query.text == "🚀" * 399 + "\ufffd"
    assert compose_query(["🚀" * 401], turns=1, max_chars=800).text == "🚀" * 400


@pytest.mark.parametrize(
    ("room", "text"),
    [
        (0, "Prior context:\n\nuser: first line\nsecond line\nthird line\nassistant: answer A\nanswer B\n\nnow?"),
        (60, "Prior context:\n\nassistant: answer A\nanswer B\n\nnow?"),
        (45, "Prior context:\n\nanswer B\n\nnow?"),
        (20, "now?"),
        (3, "now"),
    ],
)  # fmt: skip
def test_context_is_dropped_by_lines(room: int, text: str) -> None:
    assert compose_query(THREE, turns=3, max_chars=room).text == text


def test_a_repeated_prompt_is_dropped_from_the_context() -> None:
    talk = said("continue", "done", "continue", "done too", "continue")
    query = compose_query(talk, turns=3)
    assert query.text == "Prior context:\n\nassistant: done\nassistant: done too\n\ncontinue"
    assert [line.why for line in query.dropped] == ["same as the prompt"] * 2


def test_one_line_too_long_takes_all_older_ones_with_it() -> None:
    talk = said("short", "ok", "x" * 100, "y" * 200, "now?")
    query = compose_query(talk, turns=3, max_chars=120)
    assert query.text == "now?"
    assert any("its last line alone (211 units)" in note for note in query.notes)


def test_a_block_in_the_prompt_is_asked_and_comes_again_without_it() -> None:
    prompt = "<memories>x</memories> hi"
    query = compose_query(said("before", "yes", prompt), turns=3)
    assert query.text == f"Prior context:\n\nuser: before\nassistant: yes\nuser: hi\n\n{prompt}"
    assert any("once more" in note for note in query.notes)


def test_a_block_in_an_older_message_is_stripped() -> None:
    query = compose_query(said("a <memories>x\ny</memories> b", "yes", "hi"), turns=3)
    assert query.text == "Prior context:\n\nuser: a  b\nassistant: yes\n\nhi"


def test_a_block_that_is_never_closed_stays() -> None:
    query = compose_query(said("<memories>x", "yes", "hi"), turns=3)
    assert "user: <memories>x" in query.text
    assert any("never closed" in note for note in query.notes)


@pytest.mark.parametrize("turns", [-1, 0, 1])
def test_no_turn_is_one_turn(turns: int) -> None:
    assert compose_query(THREE, turns=turns).text == "now?"


def test_a_tools_result_is_asked_only_where_it_is_handed_in() -> None:
    messages = [Message("user", "a"), Message("toolResult", "42"), Message("user", "b")]
    given = compose_query(messages, turns=2, history="given")
    assert given.text == "Prior context:\n\nuser: a\ntoolResult: 42\n\nb"
    assert any("role toolResult" in note for note in given.notes)
    spoken = compose_query(messages, turns=2)
    assert spoken.text == "Prior context:\n\nuser: a\n\nb"
    assert [line.why for line in spoken.dropped] == ["role toolResult"]


def test_properties_of_random_cuts(seed: int) -> None:
    rng = Random(f"cuts {seed}")
    for _ in range(1_000):
        one = talk(rng)
        messages = [*(Message(r, t) for r, t in one.messages), Message("user", one.latest)]
        full = compose_query(
            Conversation(tuple(messages[:-1])), one.turns, 0, latest=one.latest
        ).full
        shorter = [truncate(full, one.latest, room) for room in (10, 40, 160, 640)]
        for room, query in zip((10, 40, 160, 640), shorter, strict=True):
            assert length(query) <= room or query == full
        kept = [cut_query(full, one.latest, room).kept for room in range(1, length(full), 7)]
        counts = [count for count in kept if count is not None]
        assert counts == sorted(counts), "a larger room keeps at least as many lines"
