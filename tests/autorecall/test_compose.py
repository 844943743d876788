from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from memlab import ComposedQuery, compose_query
from memlab.autorecall import Draft
from memlab.errors import InputError
from memlab.models import Conversation, Message
from tests.autorecall.toys import said

TALK = said("we had trouble with the queue", "yes,\nit is slow", "which database?")


def test_the_last_prompt_is_asked_with_the_turns_before_it() -> None:
    query = compose_query(TALK)
    assert str(query) == query.text == (
        "Prior context:\n\nuser: we had trouble with the queue\nassistant: yes,\nit is slow"
        "\n\nwhich database?"
    )  # fmt: skip
    assert (query.turns, query.max_chars, query.strategy) == (3, 4000, "agent")
    assert not query.was_truncated
    assert query.dropped == ()


def test_a_new_prompt_is_added_as_the_agent_adds_it() -> None:
    query = compose_query(said("first", "answer"), latest="  and now?  ")
    assert query.text == "Prior context:\n\nuser: first\nassistant: answer\n\nand now?"
    assert query.lines[-1].message == 2


def test_what_follows_the_last_prompt_is_context_too() -> None:
    query = compose_query([*TALK.messages, Message("assistant", "PostgreSQL")])
    assert query.text.endswith("assistant: PostgreSQL\n\nwhich database?")
    (note,) = query.notes
    assert note.startswith(
        "1 message after the prompt is asked as context; when the prompt was new"
    )
    assert note in query.report().text
    assert note in query.report().html
    assert compose_query([*TALK.messages, Message("assistant", "...")]).notes == ()
    assert (
        compose_query([*TALK.messages, Message("assistant", "Yes")], history="compaction").notes
        == ()
    )


def test_every_message_is_kept_or_dropped_with_a_reason() -> None:
    messages = [
        Message("user", "too old"),
        Message("assistant", "too old as well"),
        Message("user", "<memories>x</memories>"),
        Message("toolResult", "42"),
        Message("assistant", "thinking aloud", kind="thinking"),
        Message("assistant", "..."),
        Message("user", "now?"),
        Message("assistant", "kept"),
        Message("user", "now?"),
    ]
    frame = compose_query(messages, turns=3).frame()
    told = dict(zip(frame["message"], frame["why"], strict=True))
    assert told == {
        0: "too old",
        1: "too old",
        2: "empty after stripping",
        3: "role toolResult",
        4: "kind thinking",
        5: "no letter or digit",
        6: "same as the prompt",
        7: "",
        8: "",
    }
    assert list(frame["kept"]) == [why == "" for why in frame["why"]]
    assert list(frame.columns) == ["message", "role", "part", "kept", "why", "chars", "text"]


def test_one_turn_asks_the_prompt_alone_and_says_so() -> None:
    query = compose_query(TALK, turns=1)
    assert query.text == "which database?"
    assert {line.why for line in query.dropped} == {"only the prompt is asked"}


def test_a_prompt_that_says_nothing_is_asked_all_the_same() -> None:
    assert compose_query(said("a question", "an answer", "/"), turns=1).text == "/"


def test_before_a_compaction_marks_alone_count_as_said() -> None:
    talk = said("question", "...", "next")
    assert "assistant: ..." in compose_query(talk, history="compaction").text
    assert "assistant" not in compose_query(talk).text


def test_sizes() -> None:
    query = compose_query(["用户服务器🚀"], turns=1)
    assert (query.chars, query.estimate, query.tokens) == (7, 2, 4)
    assert query.dropped_chars == 0
    assert compose_query(["word " * 100], turns=1, max_chars=99).dropped_chars == 400


def test_a_query_is_a_frozen_value() -> None:
    query = compose_query(TALK)
    assert query == compose_query(TALK)
    assert pickle.loads(pickle.dumps(query)) == query
    with pytest.raises(dataclasses.FrozenInstanceError):
        query.turns = 9  # type: ignore[misc]


def test_your_own_strategy_is_a_function() -> None:
    def shout(draft: Draft) -> str:
        return draft.latest.upper() + "\n" + draft.entries[0]

    query = compose_query(TALK, strategy=shout)
    assert query.text == "WHICH DATABASE?\nuser: we had trouble with the queue"
    assert query.strategy == "shout"
    assert [line.text for line in query.kept] == ["we had trouble with the queue"]
    assert {line.why for line in query.dropped} == {"left out by shout"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"turns": 2.5}, "turns is a whole number, not 2.5"),
        ({"turns": True}, "turns is a whole number, not True"),
        ({"max_chars": "800"}, "max_chars is a whole number, not '800'"),
        ({"strategy": "hed"}, 'Did you mean "head"'),
        ({"strategy": "salient terms"}, "Give one: corpus=bank"),
        ({"strategy": lambda draft: None}, "gave NoneType None; a query is text"),
        ({"history": "all"}, 'history is "spoken", "compaction" or "given"'),
    ],
)
def test_what_cannot_be_composed_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        compose_query(TALK, **given)


@pytest.mark.parametrize("talk", [Conversation(), [Message("assistant", "hello")], [" \n "]])
def test_without_a_prompt_there_is_nothing_to_ask(talk: Any) -> None:
    with pytest.raises(InputError, match=r"no prompt of a user.*latest="):
        compose_query(talk)


def test_half_characters_that_meet_become_one() -> None:
    query = compose_query(["\ud83d<memories>x</memories>\ude80", "now"], turns=3, max_chars=0)
    assert "user: 🚀" in query.text_utf16
    assert isinstance(query, ComposedQuery)
