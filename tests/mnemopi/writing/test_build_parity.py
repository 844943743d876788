"""Banks built by memlab, opened by the real engine: the same schema, rows and recall."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memlab import Mnemopi, build_bank
from memlab.mnemopi.snapshot import Snapshot
from tests.golden_data import answer
from tests.mnemopi.writing.tables import contents, full_text, schema
from tests.parity.banks import BankInfo
from tests.parity.engine import answers, engine
from tests.parity.queries import Request, make_queries
from tests.parity.words import MANY, SCRIPTS, text

pytestmark = pytest.mark.engine
NOW = "2026-03-01T12:00:00.000Z"
QUERIES = 500
WIDTH = 6


def _items(rng: Random) -> list[dict[str, Any]]:
    words = tuple(MANY[:120]) + tuple(SCRIPTS[:20])
    items: list[dict[str, Any]] = []
    for place in range(160):
        item: dict[str, Any] = {
            "text": text(rng, words, 2, 20),
            "id": f"w{rng.randrange(16**6):06x}{place}",
            "key": f"turn-{place}",
            "time": f"2026-02-{rng.randint(1, 28):02d}T{rng.randint(0, 23):02d}:15:00.000Z",
            "source": rng.choice(["user", "tool", "coding-agent-retain", None]),
            "importance": rng.choice([None, round(rng.random(), 2)]),
            "veracity": rng.choice(["stated", "unknown", "tool", "inferred", "false", None]),
            "type": rng.choice(["fact", "episode"]),
            "scope": rng.choice(["bank", "bank", "global"]),
            "valid_until": rng.choice([None] * 6 + ["2026-02-20T00:00:00.000Z", "2027-01-01"]),
        }
        if rng.random() < 0.15:
            item["session"] = "other"
        if rng.random() < 0.4:
            item["vector"] = [round(rng.uniform(-1, 1), 4) for _ in range(WIDTH)]
        if place > 110:
            item |= {
                "tier": "episodic",
                "degradation": rng.choice([1, 1, 2, 3]),
                "summary_of": [items[rng.randrange(100)]["id"]] if rng.random() < 0.5 else [],
            }
        elif rng.random() < 0.2:
            item["embed_text"] = text(rng, words, 1, 6)
        items.append(item)
    return items


def _facts(rng: Random) -> list[dict[str, Any]]:
    return [
        {
            "subject": rng.choice(["fact", *MANY[:20]]),
            "predicate": rng.choice(["is", "uses", "entity"]),
            "object": text(rng, MANY, 1, 5),
            "confidence": rng.choice([0.5, 0.6, 0.7]),
            "time": "2026-02-20T08:00:00.000Z",
        }
        for _ in range(40)
    ]


@pytest.fixture
def built(seed: int, tmp_path: Path) -> Mnemopi:
    rng = Random(seed)
    return build_bank(
        _items(rng), tmp_path / "built.db", bank="lab", facts=_facts(rng), now=NOW, model="lab"
    )


def _asked(request: Request) -> dict[str, Any]:
    args = {"query": request.query, "topK": request.topK, "options": request.options}
    return {
        "op": request.op,
        "bank": "lab",
        "session": request.session,
        "now": request.now,
        "args": args,
    }


def test_the_engine_recalls_the_same_from_it(built: Mnemopi, seed: int, tmp_path: Path) -> None:
    info = BankInfo(
        path=built.path, bank="lab", seed=seed, kind="built", words=tuple(MANY[:120]),
        samples=tuple(memory.text for memory in list(built.memories())[:40]), width=WIDTH, counts={},
    )  # fmt: skip
    ours = Snapshot(built.path)
    compared = hits = 0
    for request, wanted in answers(engine(), info, make_queries(seed, QUERIES + 40, info)):
        if not wanted["ok"]:
            continue  # a time that the engine refuses: it answers nothing to compare
        got = answer(_asked(request), ours)
        assert got == json.loads(json.dumps(wanted["result"])), request
        compared += 1
        hits += len(got)
    assert compared >= QUERIES
    assert hits > QUERIES


def test_the_engine_finds_the_schema_it_would_have_made(built: Mnemopi, tmp_path: Path) -> None:
    before = contents(built.path)
    engine().call("getStats", db=built.path, bank="lab")
    engine().call("close", prefix=str(built.path))
    fresh = tmp_path / "fresh.db"
    engine().call("getStats", db=fresh, bank="lab") if fresh.exists() else engine().call(
        "rememberBatch", db=fresh, bank="lab", items=[]
    )
    engine().call("close", prefix=str(fresh))
    assert schema(built.path) == schema(fresh)
    after = contents(built.path)
    assert {name: after[name] for name in before} == before


def test_rows_are_those_of_the_engines_own_batch(tmp_path: Path) -> None:
    items: list[dict[str, Any]] = [
        {"content": "The ferry leaves at noon.", "source": "user", "importance": 0.6},
        {"content": "Der Fährmann heißt Åke. 😀", "source": "coding-agent-retain", "veracity": "tool",
         "metadata": {"source_key": "t1", "n": 2}},
        {"content": "[role: user]\nhi", "embed_text": "hi", "memory_type": "episode", "scope": "global"},
    ]  # fmt: skip
    theirs = tmp_path / "theirs.db"
    wire = [
        {
            "content": item["content"],
            "source": item.get("source"),
            "importance": item.get("importance"),
            "veracity": item.get("veracity"),
            "memoryType": item.get("memory_type"),
            "embedText": item.get("embed_text"),
            "metadata": item.get("metadata"),
            "scope": item.get("scope"),
        }
        for item in items
    ]
    wire = [{key: value for key, value in item.items() if value is not None} for item in wire]
    ids = engine().call(
        "rememberBatch", db=theirs, bank="lab", now=NOW, items=wire, options={"scope": "bank"}
    )
    engine().call("close", prefix=str(theirs))
    named = [{**item, "id": key} for item, key in zip(items, ids, strict=True)]
    ours = build_bank(named, tmp_path / "ours.db", bank="lab", now=NOW)
    engine().call("getStats", db=ours.path, bank="lab")
    engine().call("close", prefix=str(ours.path))
    assert contents(ours.path) == contents(theirs)
    assert full_text(ours.path) == full_text(theirs)
