"""The texts that the agent makes of what Hindsight recalled, to the letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..text.found import found_text

__all__ = ["recall_block", "result_entries", "tool_text"]

Fields = Mapping[str, Any]
PREAMBLE = (
    "Relevant memories from past conversations (prioritize recent when conflicting). "
    "Only use memories that are directly useful to continue this conversation; ignore the rest:"
)


def result_entries(results: Sequence[Fields]) -> str:
    """Return one entry per result, each with its type and its time where it has them.

    A result is what the server sends: text, and perhaps type and mentioned_at.
    """

    def entry(fields: Fields) -> str:
        kind, time = fields.get("type"), fields.get("mentioned_at")
        return f"- {fields['text']}{f' [{kind}]' if kind else ''}{f' ({time})' if time else ''}"

    return "\n\n".join(entry(fields) for fields in results)


def recall_block(results: Sequence[Fields]) -> str:
    """Return the block that auto-recall puts into the prompt."""
    return f"<memories>\n{PREAMBLE}\n\n{result_entries(results)}\n</memories>"


def tool_text(results: Sequence[Fields], now: str) -> str:
    """Return what the recall tool answers; ``now`` is the clock as ISO text."""
    return found_text(len(results), result_entries(results), now)
