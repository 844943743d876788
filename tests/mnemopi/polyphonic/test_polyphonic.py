"""Polyphonic recall against the golden answers and against the live engine."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memlab import Mnemopi, build_bank, polyphonic_recall
from memlab.errors import InputError
from memlab.mnemopi.engine.copies import copy_bank
from memlab.mnemopi.polyphonic.graph import names
from memlab.mnemopi.polyphonic.recall import polyphonic_records
from memlab.mnemopi.snapshot import Snapshot
from tests.golden_data import GOLDEN, lines, snapshot
from tests.parity.banks import make_bank
from tests.parity.engine import engine

NOW = "2026-03-01T12:00:00.000Z"
LINES = [
    line for line in lines("misc.jsonl") if line.get("request", {}).get("op") == "polyphonicRecall"
]


def test_all_lines_are_there() -> None:
    assert len(LINES) == 6
    assert len(lines("misc.jsonl")) == 38


def _answer(bank: Snapshot, request: dict[str, Any]) -> list[dict[str, Any]]:
    args = request["args"]
    options = args.get("options") or {}
    return polyphonic_records(
        bank, args["query"], session=request.get("session") or request["bank"],
        now=request["now"], limit=args.get("topK", 10),
        query_vector=options.get("queryEmbedding"), context_budget=options.get("contextBudget", 4000),
    )  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
def test_golden(line: dict[str, Any]) -> None:
    assert _answer(snapshot(GOLDEN / line["db"]), line["request"]) == line["result"]


def _requests(rng: Random, bank: str, width: int, subjects: list[str]) -> list[dict[str, Any]]:
    words = [*subjects, "Iris", "Westmarch", "Basalt Bay", "Heron", "deploy", "today", "recent",
             "last week", "otter", "yesterday", "ago", "the"]  # fmt: skip
    requests = []
    for _ in range(150):
        query = " ".join(rng.choices(words, k=rng.randint(1, 5)))
        options: dict[str, Any] = {}
        if rng.random() < 0.6:
            options["queryEmbedding"] = [round(rng.uniform(-1, 1), 4) for _ in range(width)]
        if rng.random() < 0.1:
            options["queryEmbedding"] = rng.choice([[], [0.0] * width, [1.0]])
        if rng.random() < 0.2:
            options["contextBudget"] = rng.choice([0, 30, 60, 90, 120])
        args = {"query": query, "topK": rng.choice([1, 2, 8, 8, 2.7, 0, -1]), "options": options}
        who = rng.choice([bank, bank, bank, "other"])
        requests.append(
            {"op": "polyphonicRecall", "bank": bank, "session": who, "now": NOW, "args": args}
        )
    return requests


@pytest.mark.engine
@pytest.mark.parametrize("kind", ["heron", "marsh", "lived", "vectors", "odd"])
def test_the_live_engine_answers_the_same(kind: str, seed: int, tmp_path: Path) -> None:
    rng = Random(f"{seed} {kind}")
    path = tmp_path / "bank.db"
    if kind in ("heron", "marsh"):
        bank, width = kind, 12
        copy_bank(GOLDEN / f"{kind}.db", path)
    else:
        info = make_bank(engine(), path, seed, kind)
        bank, width = info.bank, info.width or 6
    call = lambda op, **args: engine().call(op, db=path, bank=bank, now=NOW, **args)  # noqa: E731
    call("polyphonicRecall", query="x")  # makes the table of consolidated facts
    # An importance that is no number gives NaN, and the engine's order of NaN is that of its sort.
    call("sql", sql="UPDATE working_memory SET importance = 0.3 WHERE typeof(importance) = 'text'")
    rows = call("sql", sql="SELECT id FROM working_memory UNION SELECT id FROM episodic_memory")
    ids = [row["id"] for row in rows]
    for number, word in enumerate(["Deploy", "Otter", "Heron", "Deploy"]):
        sources = json.dumps([rng.choice(ids), f" {rng.choice(ids)} ", "", 7])
        call("sql", sql="INSERT INTO consolidated_facts (id, subject, predicate, object, confidence,"
             " mention_count, sources_json) VALUES (?, ?, 'is', 'x', ?, ?, ?)",
             params=[f"c{number}", word, rng.choice([0.4, 0.5, 0.9]), number, sources])  # fmt: skip
        if kind != "odd":
            call("sql", sql="INSERT OR REPLACE INTO gists (id, text, timestamp, participants_json) VALUES (?, ?, ?, ?)",
                 params=[f"gist_{ids[number]}", "a gist", NOW, json.dumps([word, "Iris"])])  # fmt: skip
    subjects = [
        row["subject"] for row in call("sql", sql="SELECT DISTINCT subject FROM facts LIMIT 20")
    ]
    requests = _requests(rng, bank, width, [str(s) for s in subjects if s])
    ours = Snapshot(path)
    found = 0
    for request, wanted in zip(
        requests, engine().ask([{**r, "db": path, "undo": True} for r in requests]), strict=True
    ):
        assert wanted["ok"], wanted
        got = json.loads(json.dumps(_answer(ours, request)))
        assert got == wanted["result"], request
        found += len(got)
    engine().call("close", prefix=str(path))
    assert found > 20


class TestAsAUserCallsIt:
    def test_at_most_one_result_per_set_of_voices(self, tmp_path: Path) -> None:
        items = [{"text": f"ferry {i}", "time": "2026-02-28T12:00:00.000Z"} for i in range(9)]
        bank = build_bank(items, tmp_path / "b.db", now=NOW)
        recall = polyphonic_recall(bank, "recent ferry", limit=8, now=NOW)
        assert len(recall) == 1
        assert recall[0].scores == {"temporal": pytest.approx(1 / 61)}
        assert recall.backend == "mnemopi:default (polyphonic)"
        assert len(bank.recall("recent ferry", limit=8, now=NOW)) == 8

    def test_nothing_is_empty(self) -> None:
        recall = polyphonic_recall(Mnemopi(GOLDEN / "heron.db"), "deploy", now=NOW)
        assert (len(recall), recall.outcome) == (0, "empty")

    def test_what_cannot_be_asked(self) -> None:
        bank = Mnemopi(GOLDEN / "heron.db")
        with pytest.raises(InputError, match="is not a time"):
            polyphonic_recall(bank, "x", now="soon")
        with pytest.raises(InputError, match="A query is text"):
            polyphonic_recall(bank, None)  # type: ignore[arg-type]

    def test_names(self) -> None:
        assert names("Ask Maren Oduya about Heron, not NASA or Élan; Ask") == [
            "Ask Maren Oduya",
            "Heron",
            "Ask",
        ]
