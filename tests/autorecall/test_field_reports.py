"""What hurt people in the field, as far as the agent's layer is concerned.

32, 41, 44, 45 and 52 are tested beside what they concern: blocks, replays,
automatic recall, feedback loops.
"""

from __future__ import annotations

import pytest

from memlab import Mnemopi, build_bank, compose_query, replay, transcript
from memlab.autorecall import STRATEGIES
from memlab.models import Message
from tests.autorecall.toys import said
from tests.golden_data import GOLDEN
from tests.parity.engine import engine

NOW = "2026-11-02T09:00:00.000Z"
QUESTION = "What is Project Zephyr's rollback code?"
PROMPT = "The pipeline log says nothing new about stage four. " * 20 + QUESTION
TRIVIAL = (
    "好的", "可以", "继续", "先这样", "hi", "ok can that", "ok", "thanks!", "да", "спасибо",
    "danke", "weiter", "はい", "了解", "tak", "dobrze", "…", "👍",
)  # fmt: skip


@pytest.fixture(scope="module")
def zephyr(tmp_path_factory: pytest.TempPathFactory) -> Mnemopi:
    path = tmp_path_factory.mktemp("zephyr") / "bank.db"
    items = [
        {"text": "Project Zephyr's rollback code is amber-17", "time": "2026-10-01T09:00:00.000Z"},
        {
            "text": "Stage four of the pipeline writes its log to disk",
            "time": "2026-10-02T09:00:00.000Z",
        },
    ]
    return build_bank(items, path, bank="zephyr", now=NOW)


def test_39_the_price_of_truncation_is_the_gap_to_the_bare_question(zephyr: Mnemopi) -> None:
    def finds(query: str) -> bool:
        return any("amber-17" in hit.text for hit in zephyr.recall(query, now=NOW))

    assert finds(QUESTION)
    assert len(PROMPT) > 800
    found = {
        name: finds(compose_query([PROMPT], 1, 800, strategy=name).text_utf16)
        for name in STRATEGIES
    }
    assert not found["agent"], "the agent loses the question with the end of the prompt"
    assert not found["head"]
    assert found["last sentence"]
    assert QUESTION in compose_query([PROMPT], 1, 800, strategy="tail").text
    assert QUESTION in compose_query([PROMPT], 1, 800, strategy="head+tail").text


def test_42_how_often_a_trivial_prompt_injects_memories() -> None:
    """The agent asks them all: the share that brings memories is a figure to watch."""
    talks = [said(prompt, id=prompt) for prompt in TRIVIAL]
    with Mnemopi(GOLDEN / "heron.db", bank="heron") as bank:
        frame = replay(talks, bank, now="2026-03-01T12:00:00.000Z")
    assert set(frame["outcome"]) <= {"ok", "empty"}
    injected = frame.loc[frame["block_chars"] > 0, "conversation"]
    assert list(injected) == ["hi", "ok can that", "ok", "tak"], "found inside longer words"


@pytest.mark.engine
def test_42_the_engine_itself_does_the_same() -> None:
    with engine().copy_of(GOLDEN / "heron.db", bank="heron") as bank:
        found = [text for text in TRIVIAL if bank.recall(text, now="2026-03-01T12:00:00.000Z")]
    assert found == ["hi", "ok can that", "ok", "tak"]


def test_53_placeholders_are_dropped_before_anything_is_kept() -> None:
    talk = [Message("user", "deploy it"), *[Message("assistant", ".")] * 4, Message("user", "..?")]
    assert transcript(talk).messages == 1
    assert "assistant" not in (transcript(talk).text or "")
    asked = compose_query([*talk, Message("user", "now")], turns=9)
    assert asked.text == "Prior context:\n\nuser: deploy it\n\nnow"
    assert [line.why for line in asked.dropped] == ["no letter or digit"] * 5
