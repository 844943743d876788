"""Two real logs of pi (version 1): the reader's counts beside a plain count of lines."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memlab.sessions import Session, SessionIndex

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "pi-logs"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]


@pytest.fixture(params=["large-session", "before-compaction"])
def path(request: pytest.FixtureRequest) -> Path:
    found = FOLDER / f"{request.param}.jsonl"
    if not found.exists():
        pytest.skip("the real logs of pi are not at ../shared/data/pi-logs")
    return found


def test_every_line_is_an_entry(path: Path) -> None:
    lines, session = rows(path), Session(path)
    assert session.agent == "pi"
    assert session.report.lines == len(lines)
    assert list(session.problems) == []
    wanted = Counter(row["type"] for row in lines if row["type"] != "session")
    assert Counter(entry.type for entry in session.entries) == wanted
    roles = Counter(row["message"]["role"] for row in lines if row["type"] == "message")
    assert Counter(entry.role for entry in session.entries if entry.role) == roles


def test_every_block_is_a_row(path: Path) -> None:
    blocks: Counter[str] = Counter()
    for row in rows(path):
        message = row.get("message", {})
        for block in message.get("content") or ():
            blocks[f"{message['role']} {block['type']}"] += 1
    frame = Session(path).frame()
    counts = frame["kind"].value_counts()
    for kind, name in (
        ("reply", "assistant text"),
        ("thinking", "assistant thinking"),
        ("tool_call", "assistant toolCall"),
        ("tool_result", "toolResult text"),
        ("prompt", "user text"),
    ):
        assert counts.get(kind, 0) == blocks[name]


def test_tokens_and_price_add_up(path: Path) -> None:
    usages = [row["message"]["usage"] for row in rows(path) if row.get("message", {}).get("usage")]
    frame = Session(path).frame()
    assert frame["usage_output"].sum() == sum(usage["output"] for usage in usages)
    assert frame["usage_cost"].sum() == pytest.approx(sum(u["cost"]["total"] for u in usages))


def test_the_first_version_is_one_path(path: Path) -> None:
    session = Session(path)
    assert session.tree.branches == 1
    assert all(session.tree.active)


def test_the_compaction_keeps_from_the_line_it_counts(path: Path) -> None:
    session, lines = Session(path), rows(path)
    compactions = [row for row in lines if row["type"] == "compaction"]
    if not compactions:
        assert all(
            session.tree.in_context[place]
            for place, entry in enumerate(session.entries)
            if entry.shown
        )
        return
    seen = [e.line_no for e, s in zip(session.entries, session.tree.in_context, strict=True) if s]
    last = compactions[-1]
    kept = lines[last["firstKeptEntryIndex"]]
    first = next(n for n, row in enumerate(lines, start=1) if row is kept or row == kept)
    assert min(seen) >= first
    assert lines.index(last) + 1 in seen


def test_the_index_holds_what_was_said(path: Path, tmp_path: Path) -> None:
    def has_text(row: dict[str, Any]) -> bool:
        content = row.get("message", {}).get("content") or ()
        return "".join(b.get("text", "") for b in content if b["type"] == "text").strip() != ""

    spoken = [
        row
        for row in rows(path)
        if row.get("message", {}).get("role") in ("user", "assistant") and has_text(row)
    ]
    index = SessionIndex.build(path)
    assert index.report.documents == len(spoken)
