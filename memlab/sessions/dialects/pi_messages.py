"""Messages of pi and oh-my-pi, by role, as parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..entry import Kind, Part
from ..values import as_json, mapping, text_of, texts, whole

__all__ = ["message_parts", "one_part"]

Message = Mapping[str, Any]
Parts = tuple[Part, ...]


def one_part(kind: Kind, text: str, **more: Any) -> Parts:
    """Return the one part of a text, or none for an empty one."""
    return (Part(kind, text, **more),) if text else ()


def _joined(content: object) -> str:
    return content if isinstance(content, str) else "\n".join(texts(content))


def _assistant(message: Message) -> Parts:
    return tuple(_assistant_parts(message))


def _assistant_parts(message: Message) -> Iterator[Part]:
    content = message.get("content")
    if isinstance(content, str):
        yield from one_part("reply", content)
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text" and isinstance(block.get("text"), str):
            yield Part("reply", block["text"])
        elif kind == "thinking" and isinstance(block.get("thinking"), str):
            yield Part("thinking", block["thinking"])
        elif kind == "toolCall":
            arguments = as_json(block.get("arguments"))
            yield Part("tool_call", arguments, text_of(block.get("name")), text_of(block.get("id")))
    if message.get("stopReason") == "error":
        text = text_of(message.get("errorMessage")) or "the request failed"
        yield Part("meta", text, is_error=True)


def _tool_result(message: Message) -> Parts:
    tool, call = text_of(message.get("toolName")), text_of(message.get("toolCallId"))
    text = _joined(message.get("content"))
    return (Part("tool_result", text, tool, call, message.get("isError") is True),)


def _execution(message: Message) -> Parts:
    """A command that the user ran: what was run, and what it printed."""
    ran = text_of(message.get("command")) or text_of(message.get("code")) or ""
    text = "\n".join(part for part in (ran, text_of(message.get("output")) or "") if part)
    code = whole(message.get("exitCode"))
    tool = "python" if message.get("role") == "pythonExecution" else "bash"
    return (Part("bash", text, tool, None, None if code is None else code != 0),)


def _injected(message: Message) -> Parts:
    return one_part("injected", _joined(message.get("content")))


def _files(message: Message) -> Parts:
    files = message.get("files")
    named = (
        [text_of(mapping(file).get("path")) for file in files] if isinstance(files, list) else []
    )
    text = "\n".join([_joined(message.get("content")), *(name for name in named if name)])
    return one_part("injected", text.strip("\n"))


_ROLES: Mapping[str, Callable[[Message], Parts]] = {
    "user": lambda message: one_part("prompt", _joined(message.get("content"))),
    "assistant": _assistant,
    "toolResult": _tool_result,
    "bashExecution": _execution,
    "pythonExecution": _execution,
    "developer": _injected,
    "custom": _injected,
    "hookMessage": _injected,
    "fileMention": _files,
    "branchSummary": lambda message: one_part("summary", text_of(message.get("summary")) or ""),
    "compactionSummary": lambda message: one_part("summary", text_of(message.get("summary")) or ""),
}


def message_parts(message: Message) -> Parts | None:
    """Return the parts of a message, or None for a role this library has not heard of."""
    maker = _ROLES.get(text_of(message.get("role")) or "")
    return None if maker is None else maker(message)
