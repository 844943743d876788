"""The random banks and queries are repeatable, varied, and asked of one unchanging state."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.parity.banks import KINDS, make_bank
from tests.parity.engine import answers, engine
from tests.parity.queries import make_queries
from tests.parity.rows import EMBEDDING, EPISODIC, FACT, WORKING

pytestmark = pytest.mark.engine


def contents(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return [
            row
            for table, columns in (WORKING, EPISODIC, FACT, EMBEDDING)
            for row in db.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY rowid")
        ]


@pytest.mark.parametrize("kind", ["odd", "lived"])
def test_a_seed_makes_one_bank_and_one_set_of_queries(kind: str, tmp_path: Path) -> None:
    first = make_bank(engine(), tmp_path / "one.db", 7, kind)
    again = make_bank(engine(), tmp_path / "two.db", 7, kind)
    other = make_bank(engine(), tmp_path / "three.db", 8, kind)
    assert contents(first.path) == contents(again.path) != contents(other.path)
    assert make_queries(1, 50, first) == make_queries(1, 50, again) != make_queries(2, 50, first)


def test_ten_seeds_make_every_kind(tmp_path: Path) -> None:
    made = [make_bank(engine(), tmp_path / f"{seed}.db", seed) for seed in range(len(KINDS))]
    assert {info.kind for info in made} == set(KINDS)
    lived = next(info for info in made if info.kind == "lived")
    assert all(count > 0 for count in lived.counts.values()), lived.counts


@pytest.mark.parametrize("kind", ["common", "vectors", "lived", "odd"])
def test_undone_recalls_equal_recalls_on_fresh_copies(kind: str, seed: int, tmp_path: Path) -> None:
    info = make_bank(engine(), tmp_path / "bank.db", seed, kind)
    requests = make_queries(seed, 60, info)
    undone = [answer for _, answer in answers(engine(), info, requests)]
    engine().call("close", prefix=str(info.path))
    wires = [request.wire(info) | {"undo": False, "isolate": True} for request in requests]
    for request, expected, answer in zip(requests, engine().ask(wires), undone, strict=True):
        assert answer == expected, request


def test_the_queries_reach_every_part_of_recall(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for seed, kind in enumerate(KINDS):
        info = make_bank(engine(), tmp_path / f"{kind}.db", seed, kind)
        for request, answer in answers(engine(), info, make_queries(3, 40, info)):
            seen[request.op] += 1
            seen[
                "failed" if not answer["ok"] else "empty" if not answer["result"] else "found"
            ] += 1
            for hit in answer.get("result") or ():
                seen[str(hit["explanation"]).split(" ")[0]] += 1
                seen[str(hit["explanation"]).split(" ")[1].split("=")[0]] += 1
                seen["temporal"] += "temporal=" in hit["explanation"]
                seen["clipped"] += bool(hit.get("truncated"))
                seen["summary"] += bool(hit.get("summary_of"))
    wanted = "found empty failed working episodic fact fts vec fallback temporal clipped summary"
    operations = "recall recallEnhanced beamRecall beamRecallEnhanced factRecall"
    missing = [name for name in [*wanted.split(), *operations.split()] if not seen[name]]
    assert not missing, seen
    assert seen["found"] > 0.6 * 40 * len(KINDS), seen
