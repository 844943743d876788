from __future__ import annotations

from memlab.hindsight.texts import recall_block, result_entries, tool_text

RESULTS = [
    {"text": "dispatch uses PostgreSQL", "type": "world", "mentioned_at": "2026-03-01T10:00:00Z"},
    {"text": "plain", "type": None, "mentioned_at": ""},
    {"text": "typed", "type": "experience"},
]


def test_entries_have_what_they_have() -> None:
    assert result_entries(RESULTS) == (
        "- dispatch uses PostgreSQL [world] (2026-03-01T10:00:00Z)\n\n- plain\n\n- typed [experience]"
    )


def test_the_tools_answer() -> None:
    now = "2026-03-01T12:34:56.789Z"
    head = "Found 3 relevant memories (as of 2026-03-01 12:34 UTC):\n\n"
    assert tool_text(RESULTS, now) == head + result_entries(RESULTS)
    one = tool_text(RESULTS[1:2], now)
    assert one == "Found 1 relevant memory (as of 2026-03-01 12:34 UTC):\n\n- plain"
    assert tool_text([], now) == "No relevant memories found."


def test_the_block() -> None:
    assert recall_block(RESULTS[1:2]) == (
        "<memories>\nRelevant memories from past conversations (prioritize recent when "
        "conflicting). Only use memories that are directly useful to continue this conversation; "
        "ignore the rest:\n\n- plain\n</memories>"
    )
