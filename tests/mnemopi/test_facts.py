"""What a fact without a usable confidence counts as."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from memlab import Mnemopi, build_bank

NOW = "2026-03-01T12:00:00.000Z"


def test_a_confidence_that_is_no_number_counts_half(tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    facts = [
        {"id": name, "subject": "quay", "predicate": "is", "object": "wet", "confidence": value}
        for name, value in (("text", 0.1), ("half", 0.5), ("whole", 1.0))
    ]
    build_bank([], path, facts=facts, now=NOW).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE facts SET confidence = 'high' WHERE fact_id = 'text'")
    with Mnemopi(path) as bank:
        found = bank.recall("quay", now=NOW, mode="facts")
    scores = {record["fact_id"]: record["score"] for record in found.records}
    assert scores["text"] == scores["half"] < scores["whole"]
