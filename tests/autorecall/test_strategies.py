from __future__ import annotations

from random import Random

import pytest

from memlab import compose_query
from memlab.autorecall import STRATEGIES
from memlab.autorecall.strategies import strategy_named
from memlab.models import Message
from memlab.text.javascript import length
from tests.autorecall.talks import talk
from tests.autorecall.toys import said

PROMPT = "Some background. " * 60 + "What is the rollback code?"


def asked(strategy: str, room: int = 100, turns: int = 1) -> str:
    return compose_query([PROMPT], turns, room, strategy=strategy).text


def test_each_does_what_its_name_says() -> None:
    assert asked("agent") == asked("head") == PROMPT[:100]
    assert asked("tail") == PROMPT[-100:]
    assert asked("head+tail") == f"{PROMPT[:50]}\n{PROMPT[-49:]}"
    assert asked("last sentence") == "What is the rollback code?"
    assert asked("last sentence", 10) == PROMPT[-10:]
    assert asked("whole messages") == PROMPT[:100]


def test_context_goes_by_units_lines_or_messages() -> None:
    talk = said("one\ntwo", "three\nfour", "now?")
    whole = "Prior context:\n\nuser: one\ntwo\nassistant: three\nfour\n\nnow?"

    def asked(strategy: str, room: int) -> str:
        return compose_query(talk, 3, room, strategy=strategy).text

    assert asked("agent", 0) == whole
    both = "Prior context:\n\nassistant: three\nfour\n\nnow?"
    assert asked("agent", len(both)) == asked("whole messages", len(both)) == both
    assert asked("agent", len(both) - 1) == "Prior context:\n\nfour\n\nnow?"
    assert asked("whole messages", len(both) - 1) == "now?"
    assert asked("head", 42) == whole[:42]
    assert asked("tail", 42) == whole[-42:]
    assert asked("last sentence", 42) == "now?"


@pytest.mark.parametrize(
    ("prompt", "sentence"),
    [
        ("One. Two? Three", "Three"),
        ("Version 1.2.3 broke. Why?", "Why?"),
        ("line one\nline two", "line two"),
        ('He said "stop." Then what?', "Then what?"),
        ("用户喜欢深色。为什么？", "为什么？"),
        ("no end at all", "no end at all"),
        ("...", "..."),
        ("Ends with blanks?  \n", "Ends with blanks?"),
    ],
)
def test_last_sentences(prompt: str, sentence: str) -> None:
    assert compose_query([prompt], 1, 0, strategy="last sentence").text == sentence


@pytest.mark.parametrize("name", STRATEGIES)
def test_none_is_longer_than_its_room(name: str, seed: int) -> None:
    rng = Random(f"strategy {name} {seed}")
    for _ in range(300):
        one = talk(rng)
        messages = [*(Message(r, t) for r, t in one.messages), Message("user", f"x{one.latest}")]
        room = rng.randint(1, 300)
        query = compose_query(messages, one.turns, room, strategy=name)
        assert query.chars <= room
        whole = compose_query(messages, one.turns, 0, strategy=name)
        if name != "last sentence":
            assert whole.text_utf16 == whole.full


@pytest.mark.parametrize("name", STRATEGIES)
def test_kept_lines_are_in_the_query(name: str, seed: int) -> None:
    rng = Random(f"kept {name} {seed}")
    for _ in range(200):
        one = talk(rng)
        messages = [*(Message(r, t) for r, t in one.messages), Message("user", f"x{one.latest}")]
        query = compose_query(messages, one.turns, rng.randint(1, 300), strategy=name)
        assert [line for line in query.kept if line.text not in query.text_utf16] == []
        units = sum(length(line.text) for line in query.kept)
        assert units <= query.chars


def test_a_strategy_keeps_its_name() -> None:
    for name, function in STRATEGIES.items():
        assert strategy_named(name) == strategy_named(function) == (name, function)
