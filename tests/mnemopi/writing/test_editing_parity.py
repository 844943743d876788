"""Every edit of memlab and of the real engine, on two copies: all tables are equal afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memlab import Mnemopi
from tests.golden_data import GOLDEN
from tests.mnemopi.writing.tables import contents, full_text
from tests.parity.engine import engine

pytestmark = pytest.mark.engine
NOW = "2026-03-01T12:00:00.000Z"
BANKS = ("heron", "marsh", "polyglot")


@pytest.fixture(params=BANKS)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Mnemopi, Path, str]:
    """A copy for memlab, one for the engine, and the bank's name."""
    name = str(request.param)
    theirs = tmp_path / "theirs.db"
    shutil.copyfile(GOLDEN / f"{name}.db", theirs)
    original = Mnemopi(GOLDEN / f"{name}.db", bank=name)
    return original.copy(tmp_path / "ours.db"), theirs, name


def _real(path: Path, bank: str) -> Callable[..., Any]:
    def call(op: str, **args: Any) -> Any:
        return engine().call(op, db=path, bank=bank, now=NOW, **args)

    return call


def _equal(ours: Mnemopi, theirs: Path) -> None:
    engine().call("close", prefix=str(theirs))
    # memlab's copy is opened by the engine once, which adds what it misses, and closed again.
    engine().call("getStats", db=ours.path, bank=ours.bank)
    engine().call("close", prefix=str(ours.path))
    assert contents(ours.path) == contents(theirs)
    assert full_text(ours.path) == full_text(theirs)


def _some(bank: Mnemopi, seed: int) -> list[str]:
    """Ids of every kind: of both tiers, of facts, of nothing."""
    rng = Random(seed)
    memories = [memory.id for memory in bank.memories()]
    facts = [fact.id for fact in bank.facts()]
    return rng.sample(memories, 14) + facts[:3] + ["nothing"]


def test_update(pair: tuple[Mnemopi, Path, str], seed: int) -> None:
    ours, theirs, name = pair
    call = _real(theirs, name)
    done = 0
    for place, key in enumerate(_some(ours, seed)):
        text = f"Rewritten {place}: the ferry — «débâcle» データ 😀" if place % 3 else None
        importance = None if place % 2 else 0.25
        if text is None and importance is None:
            continue
        mine = ours.update(key, text, importance, now=NOW)
        real = call("update", memoryId=key, content=text, importance=importance)
        assert mine.done == bool(real)
        done += mine.done
    assert done
    _equal(ours, theirs)


def test_forget(pair: tuple[Mnemopi, Path, str], seed: int) -> None:
    ours, theirs, name = pair
    call = _real(theirs, name)
    # Memories that facts, notes and gists hang on, and any others.
    linked = [fact.memory for fact in ours.facts() if fact.memory][:4]
    answers = [
        (ours.forget(key).done, bool(call("forget", memoryId=key)))
        for key in [*linked, *_some(ours, seed)]
    ]
    assert all(mine == real for mine, real in answers)
    assert any(mine for mine, _ in answers)
    _equal(ours, theirs)


def test_invalidate(pair: tuple[Mnemopi, Path, str], seed: int) -> None:
    ours, theirs, name = pair
    call = _real(theirs, name)
    facts = {fact.id for fact in ours.facts()}
    for place, key in enumerate(_some(ours, seed)):
        replacement = "other" if place % 2 else None
        mine = ours.invalidate(key, replacement, now=NOW)
        # The agent's tool looks first, and never lets a fact through.
        real = key not in facts and call("invalidate", memoryId=key, replacementId=replacement)
        assert mine.done == bool(real)
    _equal(ours, theirs)


def test_retain(pair: tuple[Mnemopi, Path, str]) -> None:
    """New texts, a text that stands there already, one under a clean embed text."""
    ours, theirs, name = pair
    known = next(m for m in ours.memories() if m.tier == "working" and m.session == name)
    items: list[dict[str, Any]] = [
        {"content": "The ferry leaves at noon.", "context": "timetable", "id": "n1"},
        {"content": known.text, "importance": 0.99, "source": "user", "veracity": "stated"},
        {"content": "[role: user]\nhi\n[user:end]", "embed_text": "hi", "source": "api", "id": "n2"},
        {"content": "Dated.", "time": "2026-02-28T23:00:00.000Z", "veracity": "certain", "id": "n3",
         "metadata": {"cwd": "/home/ada", "n": [1, "é"]}, "valid_until": "2027-01-01T00:00:00.000Z"},
    ]  # fmt: skip
    done = ours.retain(items, now=NOW)
    call = _real(theirs, name)
    for item, key in zip(items, done.ids, strict=True):
        options = {
            "memoryId": key,
            "source": item.get("source", "coding-agent-retain"),
            "importance": item.get("importance", 0.75),
            "veracity": item.get("veracity", "tool"),
            "memoryType": "fact",
            "scope": "bank",
            "validUntil": item.get("valid_until"),
        }
        if "time" in item:
            options["timestamp"] = item["time"]
        if "embed_text" in item:
            options["embedText"] = item["embed_text"]
        metadata = item.get("metadata") or (
            {"context": item["context"]} if "context" in item else None
        )
        if metadata:
            options["metadata"] = metadata
        assert call("beamRemember", content=item["content"], options=options) == key
    assert done.refreshed == (known.id,)
    _equal(ours, theirs)


def test_the_rule_that_trims(tmp_path: Path) -> None:
    """A day later the first memories go, with what hangs on them: the engine's rule."""
    theirs = tmp_path / "theirs.db"
    texts = [f"Note {place} about the ferry." for place in range(5)]
    for place, text in enumerate(texts):
        options = {"memoryId": f"m{place}", "scope": "bank"}
        moment = f"2026-02-28T{20 + place % 4}:00:00.000Z"
        engine().call(
            "beamRemember", db=theirs, bank="b", now=moment, content=text, options=options
        )
    engine().call("close", prefix=str(theirs))
    ours = Mnemopi(theirs, bank="b").copy(tmp_path / "ours.db")
    late = "2026-03-01T21:30:00.000Z"
    done = ours.retain([{"content": "A day later.", "id": "late"}], now=late)
    assert sorted(done.trimmed) == ["m0", "m1", "m4"]
    options = {"memoryId": "late", "source": "coding-agent-retain", "importance": 0.75,
               "veracity": "tool", "memoryType": "fact", "scope": "bank"}  # fmt: skip
    engine().call(
        "beamRemember", db=theirs, bank="b", now=late, content="A day later.", options=options
    )
    _equal(ours, theirs)
    kept = ours.copy(tmp_path / "kept.db")
    assert kept.retain(["Much later."], now="2026-04-01T00:00:00.000Z", trim=False).trimmed == ()
