"""Logs of pi, in the first and the third version of its format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .story import Story, later, millis
from .tree import PRICE, USAGE, Row, Tree, write

__all__ = ["write_pi"]

STEP = 45
KEPT_LINES = 2


def _place(session: Row) -> Path:
    folder = session["cwd"].strip("/").replace("/", "-")
    stamp = session["time"].replace(":", "-").replace(".", "-")
    return Path(f"--{folder}--") / f"{stamp}_{session['id']}.jsonl"


def _times(session: Row) -> list[tuple[str, str, list[Any]]]:
    return [
        (later(session["time"], 5 + STEP * place), who, rest)
        for place, (who, *rest) in enumerate(session["lines"])
    ]


def _old_reply(model: str, time: str, blocks: list[Row]) -> Row:
    provider, name = model.split("/")
    return {
        "role": "assistant",
        "content": blocks,
        "api": "messages",
        "provider": provider,
        "model": name,
        "usage": {**USAGE, "cost": PRICE},
        "stopReason": "stop",
        "timestamp": millis(time),
    }


def _first_version(session: Row, model: str) -> list[Row]:
    """A list of lines without ids; a compaction counts lines from the header, which is 0."""
    provider, name = model.split("/")
    rows: list[Row] = [
        {
            "type": "session",
            "id": session["id"],
            "timestamp": session["time"],
            "cwd": session["cwd"],
            "provider": provider,
            "modelId": name,
            "thinkingLevel": "off",
        }
    ]

    def add(time: str, message: Row) -> None:
        rows.append({"type": "message", "timestamp": time, "message": message})

    for time, who, rest in _times(session):
        text = {"content": [{"type": "text", "text": rest[0]}], "timestamp": millis(time)}
        if who == "user":
            add(time, {"role": "user", **text})
        elif who == "assistant":
            add(time, _old_reply(model, time, text["content"]))
        elif who == "bash":
            ran = {"command": rest[0], "output": rest[1], "exitCode": 0, "cancelled": False}
            add(
                time,
                {"role": "bashExecution", **ran, "truncated": False, "timestamp": millis(time)},
            )
        elif who == "call":
            call = {
                "type": "toolCall",
                "id": f"call_{len(rows)}",
                "name": rest[0],
                "arguments": rest[1],
            }
            add(time, _old_reply(model, time, [call]))
            result = {"toolCallId": call["id"], "toolName": rest[0], "isError": False}
            content = [{"type": "text", "text": rest[2]}]
            add(later(time, 2), {"role": "toolResult", **result, "content": content})
        else:
            kept = {"firstKeptEntryIndex": len(rows) - KEPT_LINES, "tokensBefore": 41200}
            rows.append({"type": "compaction", "timestamp": time, "summary": rest[0], **kept})
    return rows


def _third_version(session: Row, model: str) -> list[Row]:
    header = {"type": "session", "version": 3, "id": session["id"]}
    tree = Tree({**header, "timestamp": session["time"], "cwd": session["cwd"]}, model)
    provider, name = model.split("/")
    tree.add("model_change", later(session["time"], 1), provider=provider, modelId=name)
    for time, who, rest in _times(session):
        if who == "user":
            tree.user(time, rest[0])
        elif who == "assistant":
            tree.say(time, rest[0])
        elif who == "call":
            tree.call(time, *rest)
        elif who == "branch":
            tree.detour(time, *rest)
        else:
            tree.add("label", time, targetId=tree.leaf, label=rest[0])
    tree.add("session_info", later(session["time"], 1200), name=session["name"])
    return tree.rows


def write_pi(story: Story, folder: Path) -> None:
    """Write pi's sessions."""
    for session in story.added["session"]:
        if session["agent"] == "pi":
            make = _first_version if session["version"] == 1 else _third_version
            write(folder / _place(session), make(session, story.added["model"]))
