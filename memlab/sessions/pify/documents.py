"""What of a log is searched: the spoken text of users and assistants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...text.javascript import trim
from ..values import first_time

__all__ = ["Document", "block_text", "claude_document", "document", "info_name"]

SPEAKERS = ("user", "assistant")


class Document(NamedTuple):
    """One searched message: who spoke, what, and when (ms since 1970; 0 is unknown)."""

    role: str
    text: str
    time: float


def block_text(content: object) -> str:
    """Return a string content, or its text blocks joined by newline, trimmed."""
    if isinstance(content, str):
        return trim(content)
    if not isinstance(content, list):
        return ""
    texts = (
        block["text"]
        for block in content
        if isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    )
    return trim("\n".join(texts))


def document(entry: object) -> Document | None:
    """Return the document of one parsed line of a pi log, or None if it has none.

    The entry's ``message`` counts if it is an object, else the entry itself;
    the entry's type is not looked at.
    """
    if not isinstance(entry, dict):
        return None
    inner = entry.get("message")
    message: Mapping[str, Any] = inner if isinstance(inner, dict) else entry
    role = message.get("role")
    if role not in SPEAKERS:
        return None
    text = block_text(message.get("content"))
    if not text:
        return None
    times = (entry.get("timestamp"), entry.get("ts"))
    time = first_time(*times, message.get("timestamp"), message.get("createdAt"))
    return Document(role, text, time or 0)


def claude_document(entry: object) -> Document | None:
    """Return the document of one parsed line of a Claude Code log, or None if it has none."""
    if not isinstance(entry, dict) or entry.get("type") not in SPEAKERS:
        return None
    message = entry.get("message")
    if not isinstance(message, dict):
        return None
    said = message.get("role")
    role = said if isinstance(said, str) else entry["type"]
    text = block_text(message.get("content"))
    if role not in SPEAKERS or not text:
        return None
    return Document(role, text, first_time(entry.get("timestamp")) or 0)


def info_name(entry: object) -> str | None:
    """Return the name that a ``session_info`` entry gives, trimmed, or None."""
    if not isinstance(entry, dict) or entry.get("type") != "session_info":
        return None
    name = entry.get("name")
    return (trim(name) or None) if isinstance(name, str) else None
