"""What becomes of secrets, against the agent's own code: in texts, and in what its tools write."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memlab import Mnemopi, build_bank, tools
from memlab.text.javascript import well_formed
from memlab.text.redact import MARK, redact
from tests.parity.engine import engine
from tests.parity.secret_texts import secret_text

pytestmark = pytest.mark.engine
TEXTS = 20_000
WRITES = 60


def test_20_000_random_texts_are_stored_alike(seed: int) -> None:
    rng = Random(f"secrets {seed}")
    texts = [secret_text(rng) for _ in range(TEXTS)]
    asked = ({"op": "redactSecrets", "args": {"text": text}} for text in texts)
    different, marked = [], 0
    for text, answer in zip(texts, engine().ask(asked), strict=True):
        assert answer["ok"], (text, answer)
        mine = redact(text)
        marked += MARK in mine
        if mine != answer["result"]:
            different.append((text, mine, answer["result"]))
    assert not different, f"{len(different)} of {TEXTS} differ: {different[:3]!a}"
    assert TEXTS // 4 < marked < TEXTS * 9 // 10, f"{marked} texts with secrets"


def config(path: Path) -> dict[str, Any]:
    names = dict.fromkeys(("bank", "retainBank", "globalBank"), "default")
    return {**names, "dbPath": path, "recallBanks": ["default"], "scoping": "global"}


def stored(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT content, metadata_json FROM working_memory ORDER BY rowid"
        ).fetchall()
    return [(content, json.loads(metadata)) for content, metadata in rows]


def test_retain_and_memory_edit_store_what_the_agent_stores(seed: int, tmp_path: Path) -> None:
    """The same texts through the agent's session and through the tools, in a bank each."""
    rng = Random(f"writes {seed}")
    ours, theirs = tmp_path / "ours.db", tmp_path / "theirs.db"
    build_bank([], ours, bank="default").close()
    build_bank([], theirs, bank="default").close()
    real, agent = engine(), config(theirs)
    with Mnemopi(ours, bank="default", writable=True) as bank:
        for number in range(WRITES):
            first, second, context, cwd = (
                well_formed(f"{number} {secret_text(rng)}").replace("\x00", "") for _ in range(4)
            )
            tools.retain(bank, [{"content": first, "context": context}], session_id="s", cwd=cwd)
            metadata = {"session_id": "s", "cwd": cwd, "context": context, "tool": "retain"}
            options = {
                "source": "coding-agent-retain", "importance": 0.75, "metadata": metadata,
                "scope": "bank", "veracity": "tool", "memoryType": "fact",
            }  # fmt: skip
            new = real.call("scopedRemember", config=agent, content=first, options=options)
            if number % 2:
                key = next(m.id for m in bank.memories() if m.text == redact(first))
                tools.memory_edit(bank, "update", key, content=second)
                edited = real.call(
                    "scopedEdit", config=agent, edit="update", memoryId=new,
                    options={"content": second},
                )  # fmt: skip
                assert edited["status"] == "updated"
    real.call("close", prefix=str(tmp_path))
    assert stored(ours) == stored(theirs)
    assert any(MARK in content for content, _ in stored(ours)[1::2])
    assert any(MARK in metadata["context"] for _, metadata in stored(ours))
