"""What hurt people in the field, as far as the agent's layer is concerned.

1, 2, 5, 32, 41, 45 and 52 are tested beside what they concern: labels, tags, scopes,
blocks, replays, feedback loops; 44 also beside the state of automatic recall.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from memlab import (
    AutoRecall,
    Mnemopi,
    MnemopiScope,
    Scope,
    build_bank,
    compose_query,
    replay,
    tools,
    transcript,
)
from memlab.autorecall import STRATEGIES
from memlab.hindsight import matches_tags
from memlab.models import Message
from memlab.text.tags import strip_memory_blocks
from tests.autorecall.toys import Toy, said
from tests.golden_data import GOLDEN
from tests.models.scope.test_scope import AWKWARD
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


@pytest.mark.parametrize("name", AWKWARD)
def test_11_a_recall_is_the_same_under_any_name(name: str, tmp_path: Path) -> None:
    """As the base of the banks and as the directory, on Mnemopi; as bank and tag, on Hindsight."""
    folder = name.replace("/", "-")
    scope = Scope.mnemopi(
        f"/srv/{folder}", "per-project-tagged", bank=name, path=tmp_path / "mnemopi.db"
    )
    for bank, text in zip(
        scope.banks, ("The queue is Redis.", "Mira calls it the queue."), strict=True
    ):
        scope.files[bank].parent.mkdir(parents=True, exist_ok=True)
        build_bank([{"text": text, "time": NOW}], scope.files[bank], bank=bank, now=NOW).close()
    with AutoRecall(scope, now=NOW) as auto:
        answer = auto(["where is the queue?"])
    assert {hit.bank for hit in answer.recall} == set(scope.banks)
    assert "Redis" in answer.block
    assert "Mira" in answer.block
    with MnemopiScope(scope) as opened:
        assert "Redis" in tools.recall(opened, "where is the queue?", now=NOW).text

    tagged = Scope.hindsight(f"/srv/{folder}", bank=name)
    assert tagged.bank == name
    (tag,) = tagged.recall_tags
    assert matches_tags(tagged.retain_tags, tagged.recall_tags, "any_strict")
    assert not matches_tags([f"{tag}x"], tagged.recall_tags, "any_strict")


@pytest.mark.parametrize("style", ["mnemopi", "hindsight"])
def test_44_a_canary_reaches_the_model(style: str) -> None:
    """A tool's recall before the first prompt must not use up the automatic one."""
    toy = Toy("The canary phrase is PURPLE-OTTER-9931.", name=f"{style}:toy")
    auto = AutoRecall(toy)
    assert "PURPLE-OTTER-9931" in tools.recall(toy, "the canary phrase", now=NOW).text
    block = auto(["what is the canary phrase"]).block
    assert "PURPLE-OTTER-9931" in block
    assert block == auto.snippet
    assert "PURPLE-OTTER-9931" not in strip_memory_blocks(f"{block}\n\nhello")


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
