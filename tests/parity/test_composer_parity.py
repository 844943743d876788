"""Composer, truncation and everything made of transcripts, against the agent's own code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from memlab.autorecall.compose import compose_query
from memlab.autorecall.transcripts import retained_turns, transcript
from memlab.autorecall.truncate import truncate
from memlab.models import Conversation, Message
from memlab.text.protocol import strip_protocol
from memlab.text.tags import strip_memory_blocks
from memlab.text.tokens import cut_to_estimate
from memlab.text.units import joined
from tests.autorecall.talks import odd_text, talk
from tests.parity.engine import engine

pytestmark = pytest.mark.engine
TALKS = 20_000
TEXTS = 5_000


def put(op: str, **args: Any) -> dict[str, Any]:
    return {"op": op, "args": args}


def told(asked: list[dict[str, Any]]) -> Iterator[Any]:
    for request, answer in zip(asked, engine().ask(asked), strict=True):
        assert answer["ok"], (request, answer)
        yield answer["result"]


def differences(asked: list[dict[str, Any]], ours: list[Any]) -> list[str]:
    found = [
        f"{json.dumps(request)}\n  engine {theirs!a}\n  memlab {mine!a}"
        for request, theirs, mine in zip(asked, told(asked), ours, strict=True)
        if theirs != mine
    ]
    return found[:3]


def test_20_000_random_conversations_are_composed_and_cut_alike(seed: int) -> None:
    rng = Random(f"composer {seed}")
    asked, ours = [], []
    for _ in range(TALKS):
        one = talk(rng)
        said = Conversation(tuple(Message(role, text) for role, text in one.messages))
        query = compose_query(said, one.turns, one.max_chars, latest=one.latest, history="given")
        with_prompt = [*said.messages, Message("user", one.latest)]
        messages = [{"role": m.role, "content": m.text} for m in with_prompt]
        asked.append(
            put("composeRecallQuery", latest=one.latest, messages=messages, turns=one.turns)
        )
        ours.append(query.full)
        asked.append(
            put("truncateRecallQuery", query=query.full, latest=one.latest, maxChars=one.max_chars)
        )
        ours.append(query.text_utf16)
    assert differences(asked, ours) == []


def test_memory_blocks_protocol_lines_and_estimates(seed: int) -> None:
    rng = Random(f"texts {seed}")
    texts = [odd_text(rng, 14) for _ in range(TEXTS)]
    limits = [rng.choice((0, 1, 2, 5, 20, -3)) for _ in texts]
    lines = [protocol_text(rng) for _ in texts]
    asked = [
        *(put("stripMemoryTags", content=text) for text in texts),
        *(put("stripRetentionProtocolMarkers", content=text) for text in lines),
        *(
            put("truncateApproxTokens", text=t, tokenLimit=n)
            for t, n in zip(texts, limits, strict=True)
        ),
    ]
    ours = [
        *map(strip_memory_blocks, texts),
        *map(strip_protocol, lines),
        *(cut_to_estimate(text, limit) for text, limit in zip(texts, limits, strict=True)),
    ]
    assert differences(asked, [joined(text) for text in ours]) == []


NAMES = ("user", "assistant", "tool-x", "Ärger", "a b", "", "U_1")
GAPS = ("", " ", "  ", "\t", "\xa0", "\ufeff", "\u2028", "\r")


def protocol_text(rng: Random) -> str:
    """Lines that are marks of the protocol, nearly so, or not at all."""
    lines = []
    for _ in range(rng.randint(0, 9)):
        gap, name = rng.choice(GAPS), rng.choice(NAMES)
        lines.append(
            rng.choice(
                (
                    f"[role:{gap}{name}]", f"{gap}[{name}:end]{gap}", f"[timestamp:{gap}{name}]",
                    f"[timestamp:{gap}2026\u2028x]", f"[role:{gap}{name}] x", odd_text(rng, 4), "", "",
                )
            )
        )  # fmt: skip
    return rng.choice(("\n", "\n", "\r\n", "\n\n")).join(lines)


def test_transcripts(seed: int) -> None:
    rng = Random(f"transcripts {seed}")
    asked, ours = [], []
    for _ in range(TEXTS):
        one = talk(rng)
        said = Conversation(
            tuple(
                Message(role, protocol_text(rng) if rng.random() < 0.3 else text)
                for role, text in one.messages
            )
        )
        messages = [{"role": m.role, "content": m.text} for m in said.messages]
        asked.append(put("prepareTranscripts", messages=messages))
        kinds = {"transcript": "plain", "user": "user", "embed": "embeddable"}
        made = {key: transcript(said, kind, history="given") for key, kind in kinds.items()}
        ours.append(
            {
                key: {"transcript": t.text and joined(t.text), "messageCount": t.messages}
                for key, t in made.items()
            }
        )
    assert differences(asked, ours) == []


def test_how_far_a_session_is_retained(seed: int) -> None:
    rng = Random(f"cursor {seed}")
    asked, ours = [], []
    for _ in range(TEXTS):
        rows = [
            {
                "content": rng.choice(("\n", "\r\n", "")).join(
                    ["[role: user]"] * rng.randint(0, 4)
                ),
                "sourceId": rng.choice(("s", "s-1", "sx", "t", "", None)),
                "retainedThroughUserTurn": rng.choice((None, None, 0, 3, -2, 2.5, 4.0)),
            }
            for _ in range(rng.randint(0, 4))
        ]
        asked.append(put("retainedTurnCursor", rows=rows, sessionId="s"))
        ours.append(retained_turns(rows, "s"))
    assert differences(asked, ours) == []


def test_any_query_is_cut_alike(seed: int) -> None:
    """Also where query and prompt have nothing to do with each other."""
    rng = Random(f"cuts {seed}")
    asked, ours = [], []
    for _ in range(TEXTS):
        latest = odd_text(rng, 4)
        query = odd_text(rng, 8) + rng.choice(("", f"\n\n{latest}", f"\n\n{latest}\n\n{latest}x"))
        query = rng.choice(("", "Prior context:\n\n")) + query
        room = rng.randint(1, len(query) + 2)
        asked.append(put("truncateRecallQuery", query=query, latest=latest, maxChars=room))
        ours.append(truncate(query, latest, room))
    assert differences(asked, ours) == []
