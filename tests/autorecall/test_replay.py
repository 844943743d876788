from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from memlab import Mnemopi, replay
from memlab.errors import BankLocked, InputError, RecallTimeout
from memlab.models import Conversation, Message
from tests.autorecall.toys import Toy, said

BANKS = Path(__file__).parents[2] / "data" / "banks"
DISPATCH = BANKS / "banks" / "team-dispatch-26o84yz56cokc" / "mnemopi.db"
LOGS = Path(__file__).parents[3] / "shared" / "data" / "pi-logs"
NOW = "2026-11-02T09:00:00.000Z"
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
TIMES = [START + timedelta(minutes=minute) for minute in range(7)]
TALK = said("hello", "hi", "the queue?", "Redis", "the host?", "hammer", id="talk", times=TIMES[:6])


def test_the_first_prompt_of_each_conversation() -> None:
    toy = Toy("the queue is Redis", "hello world")
    frame = replay([TALK, said("the queue", id="other")], toy)
    assert list(frame["conversation"]) == ["talk", "other"]
    assert list(frame["query"]) == ["hello", "the queue"]
    assert list(frame["turn"]) == [1, 1]
    assert list(frame["hits"]) == [1, 1]
    assert list(frame["ids"]) == [("m1",), ("m1",)]
    assert frame["block"].str.startswith("<memories>").all()


def test_every_prompt_with_what_came_before_it() -> None:
    """Field report 45: recall is one-shot; at which turn would it have helped?"""
    toy = Toy("queue: see host", "the host is hammer")
    frame = replay(TALK, toy, every="user-turn", turns=1)
    assert list(frame["query"]) == ["hello", "the queue?", "the host?"]
    assert list(frame["message"]) == [0, 2, 4]
    assert list(frame["hits"]) == [0, 1, 1]
    assert list(frame["new_hits"]) == [0, 1, 0]
    assert list(frame["time"]) == [TIMES[0], TIMES[2], TIMES[4]]
    helped = frame.groupby("turn")["new_hits"].sum()
    assert helped.to_dict() == {1: 0, 2: 1, 3: 0}


def test_compactions_ask_for_the_last_prompt() -> None:
    talk = Conversation((*TALK.messages[:4], Message("compaction", "summary", TIMES[6], "summary")))
    frame = replay(talk, Toy("the queue is Redis"), every="compaction")
    (row,) = frame.to_dict("records")
    assert row["prompt"] == "the queue?"
    assert row["query"].endswith("\n\nthe queue?")
    assert (row["turn"], row["message"], row["hits"]) == (2, 4, 1)


def test_nothing_is_lost_in_silence() -> None:
    talks = [
        Conversation(id="empty"),
        said("the queue", "yes", " ", id="blank"),
        Conversation((Message("assistant", "hello"),), id="no prompt"),
    ]
    frame = replay(talks, Toy("the queue"), every="user-turn")
    notes = dict(
        zip(zip(frame["conversation"], frame["turn"], strict=True), frame["note"], strict=True)
    )
    assert notes == {
        ("empty", 0): "the conversation has no prompt of a user",
        ("blank", 1): "",
        ("blank", 2): "the prompt is blank",
        ("no prompt", 0): "the conversation has no prompt of a user",
    }
    assert list(frame["outcome"].isna()) == [True, False, True, True]


def test_a_failure_is_a_row_and_never_an_empty_answer() -> None:
    toy = Toy("the queue", error=RecallTimeout("no answer within 30 s"))
    frame = replay(TALK, toy, every="user-turn")
    assert set(frame["outcome"]) == {"timeout"}
    assert set(frame["note"]) == {"no answer within 30 s"}
    assert frame["hits"].isna().all()


def test_sizes_and_cuts_are_on_every_row() -> None:
    """Field report 41: a query that is cut must be seen to be cut."""
    long = "background " * 200 + "where is the queue?"
    frame = replay([said(long)], Toy("the queue"), max_chars=800, token_limit=1)
    (row,) = frame.to_dict("records")
    assert (row["prompt_chars"], row["query_chars"]) == (2219, 800)
    assert (row["was_truncated"], row["dropped_chars"]) == (True, 1419)
    assert "question mark" in row["note"]
    frame = replay([said("the queue")], Toy("the queue"), token_limit=10)
    assert list(frame["block_cut"]) == [True]
    assert list(frame["block_chars"]) == [40]
    assert list(frame["block_tokens"]) == [10]


def test_an_empty_replay_has_the_same_columns() -> None:
    empty, full = replay([], Toy()), replay(TALK, Toy("the queue"))
    assert len(empty) == 0
    assert list(empty.dtypes) == list(full.dtypes)


class Dated(Toy):
    """A backend that can be asked as of a time."""

    def as_of(self, moment: str) -> Toy:
        then = Toy(*(self.texts if moment > "2026-03-01T09:03" else ()))
        self.then = [*getattr(self, "then", []), (moment, then)]
        return then


def test_each_turn_can_ask_the_bank_as_it_was_then() -> None:
    bank = Dated("the host is hammer", "the queue is Redis")
    frame = replay(TALK, bank, every="user-turn", as_of=True, turns=1)
    assert list(frame["hits"]) == [0, 0, 2]
    assert [moment for moment, _ in bank.then] == [
        "2026-03-01T09:00:00.000Z", "2026-03-01T09:02:00.000Z", "2026-03-01T09:04:00.000Z",
    ]  # fmt: skip
    assert [then.closed for _, then in bank.then] == [1, 1, 1]


def test_a_past_that_cannot_be_opened_is_a_row_too() -> None:
    class Busy(Dated):
        def as_of(self, moment: str) -> Toy:
            if "09:02" in moment:
                raise BankLocked("The bank is locked by another process.")
            return super().as_of(moment)

    bank = Busy("the host is hammer", "the queue is Redis")
    frame = replay(TALK, bank, every="user-turn", as_of=True, turns=1)
    assert list(frame["outcome"]) == ["empty", "unavailable", "ok"]
    assert frame["note"][1] == "The bank is locked by another process."
    assert frame["hits"].isna().tolist() == [False, True, False]


def test_a_message_without_a_time_cannot_be_asked_as_of_it() -> None:
    frame = replay(said("the queue"), Dated("the queue"), as_of=True)
    assert list(frame["outcome"]) == ["refused"]
    assert list(frame["note"]) == ["the message has no time to ask as of"]


def test_a_backend_without_a_past_says_so() -> None:
    with pytest.raises(InputError, match="mnemopi:toy cannot be asked as of a time"):
        replay(TALK, Toy(), as_of=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"every": "turn"}, 'every is "first"'),
        ({"path": "leaf"}, 'path is "file" or "active"'),
    ],
)
def test_what_cannot_be_replayed_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replay(TALK, Toy(), **given)


def test_texts_are_no_conversations() -> None:
    with pytest.raises(InputError, match="not the text 'where'"):
        replay(["where"], Toy())


def test_progress_can_be_watched(capsys: pytest.CaptureFixture[str]) -> None:
    replay([TALK], Toy(), progress=True)
    assert "replay" in capsys.readouterr().err
    replay([TALK], Toy())
    assert capsys.readouterr().err == ""


def user_messages(path: Path) -> int:
    import json

    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line)
    messages = (line["message"] for line in lines if line["type"] == "message")
    return sum(message["role"] == "user" for message in messages)


@pytest.fixture(params=["before-compaction", "large-session"])
def log(request: pytest.FixtureRequest) -> Path:
    path = LOGS / f"{request.param}.jsonl"
    if not path.exists():
        pytest.skip(f"{path.name} is not here; it lies beside the project")
    return path


def timed(*args: Any, **options: Any) -> pd.DataFrame:
    """Replay within ten seconds of this process's own time; a busy machine takes longer."""
    start = time.process_time()
    frame = replay(*args, **options)
    assert time.process_time() - start < 10
    return frame


def test_a_real_log_end_to_end(log: Path) -> None:
    from memlab.sessions import Session

    session = Session(log)
    with Mnemopi(DISPATCH) as bank:
        turns = timed(session, bank, every="user-turn", now=NOW)
        first = timed(session, bank, now=NOW)
        packed = timed(session, bank, every="compaction", now=NOW)
        active = timed(session, bank, every="user-turn", path="active", now=NOW)
    assert len(turns) == user_messages(log)
    assert list(turns["turn"]) == list(range(1, len(turns) + 1))
    assert set(turns["outcome"]) <= {"ok", "empty"}
    assert (turns["query_chars"] <= 4000).all()
    assert (turns["was_truncated"] == (turns["dropped_chars"] > 0)).all()
    assert turns["hits"].sum() > 0
    assert first["query"].item() == turns["query"].iloc[0]
    counted = {"before-compaction": [12, 27], "large-session": [0]}
    assert list(packed["turn"]) == counted[log.stem]
    assert len(active) == len(turns), "a log without branches has one path"


def test_a_real_bank_as_it_was_then() -> None:
    moments = [datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 10, 1, tzinfo=UTC)]
    talks = [said("RabbitMQ or Redis?", id=str(n), times=[t]) for n, t in enumerate(moments)]
    with Mnemopi(DISPATCH) as bank:
        frame = replay(talks, bank, as_of=True)
        today = replay(talks, bank, now=NOW)
    assert list(frame["hits"] == 0) == [True, False], "in March nobody had decided on a queue"
    assert list(today["hits"] > 0) == [True, True]
