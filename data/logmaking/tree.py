"""A log of the third version: entries that know their parents, as pi and oh-my-pi write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .story import key, later, millis

__all__ = ["Tree", "write"]

Row = dict[str, Any]
USAGE = {"input": 1200, "output": 90, "cacheRead": 5400, "cacheWrite": 0, "totalTokens": 6690}
PRICE = {
    "input": 0.0036,
    "output": 0.00135,
    "cacheRead": 0.00162,
    "cacheWrite": 0,
    "total": 0.00657,
}


def write(path: Path, rows: list[Row]) -> None:
    """Write a log: one JSON value a line, as the agents do."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


class Tree:
    """Grows a log entry by entry from its header."""

    def __init__(self, header: Row, model: str) -> None:
        self.rows: list[Row] = [header]
        self.session = header["id"]
        self.model = model
        self.leaf: str | None = None

    def add(self, kind: str, time: str, **fields: Any) -> str:
        """Add an entry after the leaf; return its id."""
        name = key(self.session, len(self.rows))
        self.rows.append(
            {"type": kind, "id": name, "parentId": self.leaf, "timestamp": time, **fields}
        )
        self.leaf = name
        return name

    def message(self, time: str, role: str, **fields: Any) -> str:
        """Add a message."""
        return self.add(
            "message", time, message={"role": role, **fields, "timestamp": millis(time)}
        )

    def user(self, time: str, text: str) -> str:
        """Add a prompt."""
        return self.message(time, "user", content=[{"type": "text", "text": text}])

    def assistant(self, time: str, *blocks: Row, stop: str = "stop") -> str:
        """Add a reply of these blocks."""
        provider, model = self.model.split("/")
        return self.message(
            time,
            "assistant",
            content=list(blocks),
            api="messages",
            provider=provider,
            model=model,
            usage={**USAGE, "cost": PRICE},
            stopReason=stop,
        )

    def say(self, time: str, text: str) -> str:
        """Add a reply of text."""
        return self.assistant(time, {"type": "text", "text": text})

    def call(self, time: str, tool: str, arguments: Row, result: str, thought: str = "") -> None:
        """Add a tool call and its result."""
        name = f"call_{key(self.session, 'call', len(self.rows), size=12)}"
        thinking = [{"type": "thinking", "thinking": thought}] if thought else []
        block = {"type": "toolCall", "id": name, "name": tool, "arguments": arguments}
        self.assistant(time, *thinking, block, stop="toolUse")
        self.message(
            later(time, 2),
            "toolResult",
            toolCallId=name,
            toolName=tool,
            content=[{"type": "text", "text": result}],
            isError=False,
        )

    def detour(self, time: str, prompt: str, reply: str, summary: str) -> None:
        """Add a branch that was left again, and go on from where it began."""
        trunk = self.leaf
        self.user(time, prompt)
        left = self.say(later(time, 40), reply)
        self.leaf = trunk
        self.add("branch_summary", later(time, 60), fromId=left, summary=summary)
