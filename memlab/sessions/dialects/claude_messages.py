"""Messages of Claude Code as parts: what a person typed, and what the harness put in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...text.javascript import trim
from ..entry import Kind, Part
from ..values import as_json, mapping, text_of, texts

__all__ = ["assistant_parts", "typed_by_person", "user_parts"]

Row = Mapping[str, Any]

# Blocks that the harness writes into user lines: commands and their output, reminders, notices.
_OPENING = re.compile(
    r"<(local-command-[a-z]+|command-(?:name|message|args|contents)|system-reminder|bash-[a-z]+"
    r"|task-notification|user-prompt-submit-hook|ide_[a-z_]+|new-diagnostics|teammate-message)"
    r"(?:\s[^<>]*)?>"
)


def typed_by_person(row: Row) -> bool:
    """Tell whether the text of a user line can have been typed by a person.

    Not that of meta lines, compaction summaries, sub-agents, or lines whose origin is
    anything but human.
    """
    if any(row.get(flag) is True for flag in ("isMeta", "isCompactSummary", "isSidechain")):
        return False
    origin = row.get("origin")
    return origin is None or mapping(origin).get("kind") == "human"


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the harness's blocks begin and end.

    One that is never closed is a block only if nothing was typed before it: a person may
    write about such a tag.
    """
    end, is_typed, never_closed = 0, False, set()
    for tag in _OPENING.finditer(text):
        name = tag[1]
        if tag.start() < end or name in never_closed:
            continue
        close = text.find(f"</{name}>", tag.end())
        is_typed = is_typed or bool(trim(text[end : tag.start()]))
        if close < 0 and is_typed:
            never_closed.add(name)
            continue
        end = len(text) if close < 0 else close + len(name) + 3
        yield tag.start(), end


def _typed(text: str) -> Iterator[Part]:
    """Part a text into what was typed and what the harness put in."""
    blocks = list(_blocks(text))
    ends = [0, *(end for _, end in blocks)]
    starts = [*(start for start, _ in blocks), len(text)]
    rest = trim("".join(text[end:start] for end, start in zip(ends, starts, strict=True)))
    if rest:
        yield Part("prompt", rest if blocks else text)
    for start, end in blocks:
        yield Part("injected", text[start:end])


def _result(block: Row, tools: Mapping[str, str]) -> Part:
    call = text_of(block.get("tool_use_id"))
    text = "\n".join(texts(block.get("content")))
    return Part("tool_result", text, tools.get(call or ""), call, block.get("is_error") is True)


def _user_text(row: Row, text: str) -> Iterator[Part]:
    if typed_by_person(row):
        yield from _typed(text)
        return
    kind: Kind = "summary" if row.get("isCompactSummary") is True else "injected"
    if text:
        yield Part(kind, text)


def user_parts(row: Row, message: Row, tools: Mapping[str, str]) -> Iterator[Part]:
    """Yield the parts of a user line; ``tools`` names the tools by the ids of their calls."""
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for block in blocks if isinstance(blocks, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "tool_result":
            yield _result(block, tools)
        elif block.get("type") == "text" and isinstance(block.get("text"), str):
            yield from _user_text(row, block["text"])


def assistant_parts(row: Row, message: Row) -> Iterator[Part]:
    """Yield the parts of an assistant line, mostly one."""
    failed = True if row.get("isApiErrorMessage") is True else None
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for block in blocks if isinstance(blocks, list) else ():
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text" and text_of(block.get("text")):
            yield Part("meta" if failed else "reply", block["text"], is_error=failed)
        elif kind == "thinking" and text_of(block.get("thinking")):
            yield Part("thinking", block["thinking"])
        elif kind == "tool_use":
            arguments = as_json(block.get("input"))
            yield Part("tool_call", arguments, text_of(block.get("name")), text_of(block.get("id")))
