"""The agent's own answers about queries and transcripts."""

from __future__ import annotations

from typing import Any

import pytest

from memlab.autorecall.draft import draft_query
from memlab.autorecall.spoken import Said
from memlab.autorecall.transcripts import retained_turns, transcript
from memlab.autorecall.truncate import truncate
from memlab.text.protocol import strip_protocol
from memlab.text.tags import strip_memory_blocks
from memlab.text.tokens import cut_to_estimate
from tests.golden_data import lines


def composed(latest: str, messages: list[dict[str, str]], turns: int) -> str:
    said = [Said(place, m["role"], m["content"]) for place, m in enumerate(messages)]
    return draft_query(latest, said, turns).text


def transcripts(messages: list[dict[str, str]]) -> dict[str, Any]:
    kinds = {"transcript": "plain", "user": "user", "embed": "embeddable"}
    made = {name: transcript(messages, kind, history="given") for name, kind in kinds.items()}
    return {name: {"transcript": t.text, "messageCount": t.messages} for name, t in made.items()}


OPS = {
    "composeRecallQuery": composed,
    "truncateRecallQuery": lambda query, latest, maxChars: truncate(query, latest, maxChars),  # noqa: N803
    "stripMemoryTags": lambda content: strip_memory_blocks(content),
    "stripRetentionProtocolMarkers": lambda content: strip_protocol(content),
    "truncateApproxTokens": lambda text, tokenLimit: cut_to_estimate(text, tokenLimit),  # noqa: N803
    "prepareTranscripts": transcripts,
    "retainedTurnCursor": lambda rows, sessionId: retained_turns(rows, sessionId),  # noqa: N803
}
GOLDEN = [line for line in lines("units.jsonl") if line["op"] in OPS]


def test_there_are_as_many_as_were_recorded() -> None:
    assert len(GOLDEN) == 38


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: line["op"])
def test_golden(line: dict[str, Any]) -> None:
    assert OPS[line["op"]](**line["args"]) == line["result"]
