"""The driver gives back the recorded answers of the engine, field by field."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from memlab.mnemopi.engine import Engine

pytestmark = pytest.mark.engine

TESTS = Path(__file__).resolve().parents[2]
PLACES = (TESTS / "golden", TESTS.parent.parent / "shared" / "golden")
GOLDEN = next((place for place in PLACES if (place / "recall.jsonl").is_file()), None)
KEYS = ("op", "bank", "session", "channel", "now", "args")


def lines(name: str, **replaced: str) -> list[dict[str, Any]]:
    if GOLDEN is None:
        pytest.skip("the recorded answers are not here (tests/golden or ../shared/golden)")
    text = (GOLDEN / f"{name}.jsonl").read_text("utf8")
    for word, value in replaced.items():
        text = text.replace(f"${word}", value)
    return [json.loads(line) for line in text.split("\n") if line]


def same(expected: dict[str, Any], answer: dict[str, Any]) -> bool:
    keys = [key for key in ("ok", "result", "after") if key in expected]
    message = (expected.get("error") or {}).get("message")
    told = (answer.get("error") or {}).get("message")
    return all(expected[key] == answer.get(key) for key in keys) and message == told


def differing(engine: Engine, rows: list[dict[str, Any]], asked: list[dict[str, Any]]) -> list[Any]:
    answers = engine.ask(asked)
    return [row for row, answer in zip(rows, answers, strict=True) if not same(row, answer)]


def test_recalls(engine: Engine, tmp_path: Path) -> None:
    rows = lines("recall")
    for name in {row["db"] for row in rows}:
        shutil.copyfile(Path(GOLDEN or "") / name, tmp_path / name)
    asked = [
        {**row["request"], "db": tmp_path / row["db"], "undo": True, "after": True} for row in rows
    ]
    assert len(rows) == 499
    assert differing(engine, rows, asked) == []


@pytest.mark.parametrize(("name", "count"), [("units", 1885), ("banknames", 103)])
def test_units_and_names(engine: Engine, name: str, count: int) -> None:
    rows = lines(name)
    assert len(rows) == count
    asked = [{key: row[key] for key in KEYS if key in row} for row in rows]
    assert differing(engine, rows, asked) == []


def test_scopes(engine: Engine) -> None:
    rows = lines("scoped", DIR=str(Path(GOLDEN or "") / "scoped"))
    assert len(rows) == 69
    asked = []
    for row in rows:
        request = {key: row[key] for key in KEYS if key in row}
        asked.append(request | {"isolate": "config" in row["args"]})
    assert differing(engine, rows, asked) == []


def test_everything_else(engine: Engine) -> None:
    rows = lines("misc")
    assert len(rows) == 38
    asked = []
    for row in rows:
        request = {key: value for key, value in row.get("request", row).items() if key in KEYS}
        bank = {"db": Path(GOLDEN or "") / row["db"], "isolate": True} if row.get("db") else {}
        asked.append(request | bank)
    assert differing(engine, rows, asked) == []
