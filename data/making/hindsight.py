"""The sample world as Hindsight has it: one bank, a tag for each project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import memlab as ml
from memlab.hindsight import Hindsight

NOW = "2026-11-02T09:00:00.000Z"
BANK = "team"
_EXPERIENCE = "coding-agent-transcript"
_FOLDERS = {
    "dis": "dispatch",
    "old": "dispatch",
    "sol": "solanum",
    "fro": "solanum-frost",
    "kol": "kolofon",
}


def _tags(key: str) -> list[str]:
    """The tag of a memory's project, by the prefix of its id; what is the team's has none."""
    label = _FOLDERS.get(key.partition("-")[0])
    return [f"project:{label}"] if label else []


def _memories(banks: Path) -> Iterator[ml.Memory]:
    for path in sorted(banks.rglob("mnemopi.db")):
        with ml.Mnemopi(path) as bank:
            yield from bank.memories(now=NOW)


def world(banks: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return documents and observations: every row is a fact, every live summary an observation.

    A document has the id of its row, so that the labelled questions find it. What the agent
    said itself is an experience, the rest are facts about the world.
    """
    documents, observations = [], []
    for memory in _memories(banks):
        time = memory.time.isoformat() if memory.time else None
        tags = _tags(memory.id)
        if memory.tier == "working":
            kind = "experience" if memory.source == _EXPERIENCE else "world"
            fact = {"text": memory.text, "type": kind, "mentioned_at": time, "context": memory.source,
                    "metadata": {"row": memory.id}, "tags": tags}  # fmt: skip
            documents.append({"id": memory.id, "tags": tags, "facts": [fact]})
        elif memory.state == "live":
            sources = [(key, 0) for key in str(memory.raw["summary_of"]).split(",")]
            observations.append(
                {"text": memory.text, "mentioned_at": time, "tags": tags, "sources": sources}
            )
    known = {one["id"] for one in documents}
    for one in observations:
        one["sources"] = [source for source in one["sources"] if source[0] in known]
    return documents, observations


CAPS = (64, 128, 256, 512, 1024, 2048)
BUDGETS = ("low", "mid", "high")
MODES = ("any", "all", "any_strict", "all_strict", "exact")
ASKED = ("rare-1", "rare-2", "rare-3", "update-1", "update-2", "update-3", "time-1", "time-2",
         "pref-1", "pref-2", "para-1", "para-2", "lang-1", "lang-2",
         "cross-1", "cross-2")  # fmt: skip
RUNBOOK = "how do we move dispatch to another database host?"
SHARED = "who is on call, and when do the backups run?"
ORDERS = "which database holds the orders?"


def ask(bank: Hindsight, cases: list[ml.Case]) -> None:
    """Ask everything that the lessons ask."""
    bank.version()
    bank.banks()
    bank.stats()
    bank.memories(progress=False)
    bank.documents(progress=False)
    bank.tags()
    chosen = [case for case in cases if case.id in ASKED]
    for case in chosen:
        for cap in CAPS:
            bank.recall(case.query, types=(), max_tokens=cap, query_timestamp=NOW)
    for query in (RUNBOOK, ORDERS):
        for budget in BUDGETS:
            bank.recall(query, types=(), budget=budget, max_tokens=100_000, query_timestamp=NOW)
        for cap in (200, 400, 1024):
            bank.recall(query, types=(), max_tokens=cap, trace=True, query_timestamp=NOW)
    include = {"chunks": {}, "source_facts": {}}
    for mode in MODES:
        tags = {"tags": ["project:dispatch"], "tags_match": mode, "include": include}
        bank.recall(SHARED, types=(), max_tokens=4096, query_timestamp=NOW, **tags)
    bank.recall(SHARED, types=(), max_tokens=4096, query_timestamp=NOW, include=include)
    bank.recall(SHARED, types=(), max_tokens=4096, query_timestamp=NOW, trace=True)
