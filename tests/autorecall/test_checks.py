"""One thing where a list is wanted: Python would walk through letters and keys instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memlab import (
    AutoRecall,
    Mnemopi,
    compose_query,
    feedback_loop,
    replay,
    scope_report,
    token_errors,
    transcript,
)
from memlab.autorecall import BankMemory, salient_terms
from memlab.errors import InputError
from memlab.models import Conversation, Message
from memlab.sessions import Session
from tests.autorecall.toys import Toy, said

BANK = Path(__file__).parents[2] / "data/banks/banks/team-dispatch-26o84yz56cokc/mnemopi.db"
ONE = {"role": "user", "content": "where is the queue?"}
READERS: list[Callable[[Any], Any]] = [
    compose_query,
    transcript,
    lambda talk: AutoRecall(Toy())(talk),
    lambda talk: feedback_loop(talk, 1),
]


@pytest.mark.parametrize("given", [ONE, Message("user", "where?"), None, 3])
@pytest.mark.parametrize("read", READERS)
def test_a_conversation_is_a_list(read: Callable[[Any], Any], given: Any) -> None:
    with pytest.raises(InputError, match="A conversation is a list of messages, not"):
        read(given)
    assert compose_query([ONE]).text == "where is the queue?"


def test_a_session_says_where_its_conversation_is(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z"}\n')
    with pytest.raises(InputError, match=r"Give its \.conversation\."):
        compose_query(Session(path))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given", ["where is it?", ONE, None, [ONE], [Message("user", "where?")], ["where?"]]
)
def test_a_replay_takes_conversations(given: Any) -> None:
    toy = Toy("the queue")
    with pytest.raises(InputError, match=r"conversations is a list, not|A conversation is a list"):
        replay(given, toy)
    assert toy.asked == []


@pytest.mark.parametrize("given", ["a text", {"text": "x"}, None, 3, [3], said("one")])
def test_texts_are_a_list(given: Any) -> None:
    salient = salient_terms(given)
    for call in (token_errors, lambda texts: compose_query(["a prompt"], strategy=salient)):
        with pytest.raises(InputError, match=r"(texts|corpus) is a list"):
            call(given)


def test_a_bank_is_not_told_letters(tmp_path: Path) -> None:
    with Mnemopi(BANK) as bank, bank.copy(tmp_path / "copy.db") as copy:
        before = len(copy.memories())
        with pytest.raises(InputError, match="texts is a list, not str: 'one text'"):
            BankMemory(copy).retain("one text")
        assert len(copy.memories()) == before


def test_directories_are_a_list() -> None:
    for given in ("/tmp", Path("/tmp"), None, 3):
        with pytest.raises(InputError, match=r"cwds=.* is not a list"):
            scope_report(given)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="modes=None is not a list"):
        scope_report(["/a"], None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compose_query(["x"], latest=5), "latest is text, not int: 5"),  # type: ignore[arg-type]
        (lambda: AutoRecall(Toy())(["x"], 5), "prompt is text, not int: 5"),  # type: ignore[arg-type]
        (lambda: AutoRecall(Toy(), token_limit=-1), "token_limit is at least 0, not -1"),
        (lambda: feedback_loop(["x y z"], 0), "rounds is at least 1, not 0"),
        (lambda: feedback_loop(["x y z"], strip=True), "strip is a list, not bool"),  # type: ignore[arg-type]
        (lambda: salient_terms([], 0), "terms is at least 1"),
    ],
)
def test_what_is_no_text_and_no_number(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_what_is_one_is_taken_as_one() -> None:
    assert compose_query("where is the queue?").text == "where is the queue?"
    assert Conversation.of("where?").messages == Conversation.of(["where?"]).messages
