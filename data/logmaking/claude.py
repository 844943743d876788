"""Logs of Claude Code: a line per block, lines that nobody typed, a sub-agent beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .story import Story, key, later
from .tree import Row, write

__all__ = ["write_claude"]

STEP = 45
USAGE = {
    "input_tokens": 900,
    "output_tokens": 70,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 4100,
}


class _Talk:
    """Grows a log line by line."""

    def __init__(self, session: Row, model: str, aside: str | None = None) -> None:
        self.session = session
        self.model = model.split("/")[1]
        self.aside = aside
        self.rows: list[Row] = []
        self.leaf: str | None = None
        self.reply = 0

    def add(self, kind: str, time: str, **fields: Any) -> None:
        """Add a line after the leaf."""
        name = key(self.session["id"], self.aside, len(self.rows), size=32)
        uuid = "-".join((name[:8], name[8:12], name[12:16], name[16:20], name[20:]))
        row = {
            "parentUuid": self.leaf,
            "isSidechain": self.aside is not None,
            "userType": "external",
            "cwd": self.session["cwd"],
            "sessionId": self.session["id"],
            "version": self.session["version"],
            "gitBranch": "main",
            **({"agentId": self.aside} if self.aside else {}),
            "type": kind,
            **fields,
            "uuid": uuid,
            "timestamp": time,
        }
        self.rows.append(row)
        self.leaf = uuid

    def user(self, time: str, content: object, **marks: Any) -> None:
        """Add a line of the user's side."""
        self.add("user", time, message={"role": "user", "content": content}, **marks)

    def say(self, time: str, *blocks: Row) -> None:
        """Add a reply: a line for each block, all with the reply's ids and its usage."""
        self.reply += 1
        names = {"id": f"msg_{self.reply:03}", "type": "message", "role": "assistant"}
        for block in blocks:
            message = {**names, "model": self.model, "content": [block], "usage": USAGE}
            self.add("assistant", time, message=message, requestId=f"req_{self.reply:03}")

    def call(self, time: str, tool: str, arguments: Row, result: str) -> None:
        """Add a tool call and its result."""
        name = f"toolu_{key(self.session['id'], self.aside, 'call', len(self.rows), size=12)}"
        opening = {"type": "text", "text": f"I use {tool} for that."}
        self.say(time, opening, {"type": "tool_use", "id": name, "name": tool, "input": arguments})
        block = {"type": "tool_result", "tool_use_id": name, "content": result}
        self.user(later(time, 2), [block], toolUseResult={"type": "text"})

    def compact(self, time: str, summary: str) -> None:
        """Add the line that begins a new root, and the summary of what was before."""
        before, self.leaf = self.leaf, None
        counted = {"trigger": "auto", "preTokens": 151000}
        self.add(
            "system",
            time,
            subtype="compact_boundary",
            content="Conversation compacted",
            logicalParentUuid=before,
            compactMetadata=counted,
        )
        text = f"This session is being continued from a previous conversation. {summary}"
        self.user(later(time, 1), text, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def tell(self, lines: list[list[Any]], start: str) -> None:
        """Add the lines of a session."""
        for place, (who, *rest) in enumerate(lines):
            time = later(start, STEP * place)
            if who == "user":
                self.user(time, rest[0])
            elif who == "assistant":
                self.say(time, {"type": "text", "text": rest[0]})
            elif who == "call":
                self.call(time, *rest)
            elif who == "compaction":
                self.compact(time, rest[0])
            elif who == "command":
                tags = f"<command-name>/{rest[0]}</command-name>\n<command-message>{rest[0]}</command-message>"
                self.user(time, tags)
            else:
                self.user(time, rest[0], isMeta=True)


def write_claude(story: Story, folder: Path) -> None:
    """Write Claude Code's sessions, each with its sub-agent."""
    for session in story.added["session"]:
        if session["agent"] != "claude":
            continue
        slug = "".join(
            char if char.isascii() and char.isalnum() else "-" for char in session["cwd"]
        )
        talk = _Talk(session, story.added["model"])
        talk.tell(session["lines"], session["time"])
        title = {"type": "ai-title", "aiTitle": session["name"], "sessionId": session["id"]}
        write(folder / slug / f"{session['id']}.jsonl", [*talk.rows, title])
        number = key(session["id"], "aside")
        aside = _Talk(session, story.added["model"], number)
        aside.tell(session["aside"], later(session["time"], 100))
        write(folder / slug / session["id"] / "subagents" / f"agent-{number}.jsonl", aside.rows)
