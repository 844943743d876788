"""Random scoped recalls, asked of memlab and of the agent's own layer over the live engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memlab import MnemopiScope, fallback_query
from memlab.errors import AllBanksFailed, InvalidTime, RecallError
from memlab.mnemopi.texts import tool_entries
from memlab.text.collation import uses_icu
from tests.parity.engine import engine
from tests.parity.scopes import Ask, World, make_asks, make_world

pytestmark = pytest.mark.engine
KINDS = ("common", "ties", "odd", "strange", "polyglot", "lived", "tiny", "deep")
EMBEDDED = ("vectors", "odd", "strange", "deep")
ASKS = 300


@dataclass(frozen=True)
class Embedding:
    """A stand-in for a model: numbers made of the text alone, exact in single precision."""

    width: int

    def __call__(self, texts: list[str]) -> list[list[float]]:
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float]:
        rng = Random(ascii(text))
        return [rng.randint(-64, 64) / 64 for _ in range(self.width)]

    def table(self, ask: Ask, world: World) -> dict[str, list[float]]:
        """The vectors of what the banks of a scope may be asked; an empty query has none."""
        fallback = fallback_query(ask.query, ask.banks[0], world.shared)
        return {text: self.vector(text) for text in (ask.query, fallback) if text}


class Ours:
    """memlab's side: one backend per list of banks, opened once."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.backends: dict[tuple[str, tuple[str, ...]], MnemopiScope] = {}

    def backend(self, ask: Ask) -> MnemopiScope:
        key = ask.mode, ask.banks
        if key not in self.backends:
            self.backends[key] = MnemopiScope(ask.scope(self.world))
        return self.backends[key]

    def answer(self, ask: Ask, monkeypatch: pytest.MonkeyPatch, **options: Any) -> dict[str, Any]:
        backend = self.backend(ask)
        with monkeypatch.context() as patch:
            for name in ask.broken:
                patch.setattr(backend.opened[name], "recall", _broken(name))
            try:
                recall = backend.recall(ask.query, now=ask.now, limit=ask.limit, **options)
            except (AllBanksFailed, InvalidTime, RecallError) as error:
                return {"error": error}
        assert set(recall.failures) == set(ask.broken)
        return {
            "results": recall.records,
            "withIds": tool_entries(recall.records),
            "context": recall.context(),
            "json": recall.context("json"),
            "unsure": any("PyICU" in note for note in recall.notes),
            "fallback": recall.fallback,
        }


def _broken(name: str) -> Any:
    def recall(query: str, **options: Any) -> None:
        raise RecallError(f"broken {name}")

    return recall


def _same_failure(error: Exception, wanted: dict[str, Any]) -> bool:
    if isinstance(error, AllBanksFailed):
        parts = [part["message"] for part in wanted["errors"]]
        return parts == [str(failure) for failure in error.failures.values()]
    if isinstance(error, InvalidTime):  # memlab says it once, the agent once per bank
        return str(error) in wanted["message"]
    return str(error) == wanted["message"]


@pytest.mark.parametrize(
    ("kind", "embeds"),
    [*((kind, False) for kind in KINDS), *((kind, True) for kind in EMBEDDED)],
)
def test_every_scoped_recall_equals_the_agents(
    kind: str, embeds: bool, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words alone, and with vectors: each side's banks embed the query and the fallback query."""
    real, count = engine(), ASKS // 3 if embeds else ASKS
    world = make_world(real, tmp_path / "world", seed, kind)
    asks = make_asks(seed, count, world)
    ours = Ours(world)
    embed = Embedding(world.info.width)
    how: dict[str, Any] = {"embedder": embed, "on_width_mismatch": "engine"} if embeds else {}
    wires = (ask.wire(world, embed.table(ask, world) if embeds else None) for ask in asks)
    for ask in asks:
        ours.backend(ask)  # copied before the engine opens the files
    different, hits, fallbacks, unsure, close = [], 0, 0, 0, 0
    for ask, theirs in zip(asks, real.ask(wires), strict=True):
        mine = ours.answer(ask, monkeypatch, **how)
        if "error" in mine:
            if theirs["ok"] or not _same_failure(mine["error"], theirs["error"]):
                different.append((ask, mine, theirs))
            continue
        fallbacks += mine.pop("fallback") is not None
        if mine.pop("unsure"):
            unsure += 1
            continue
        wanted = theirs.get("result")
        if not theirs["ok"] or mine != {"context": "", "json": "", **wanted}:
            different.append((ask, mine, theirs))
        hits += len(mine["results"])
        close += sum(bool(one.get("dense_score")) for one in mine["results"])
    real.call("close", prefix=str(tmp_path))
    assert not different, f"{len(different)} of {count} differ: {different[:2]!a:.6000}"
    # Without PyICU a tie between texts outside ASCII may be decided otherwise, and memlab says so.
    assert unsure == 0 or (not uses_icu() and unsure < count // 5)
    assert hits > count // 2, "the random queries found next to nothing"
    assert fallbacks > count // 20, "next to no fallback query was asked"
    assert (close > count) is embeds, f"{close} hits have a vector near the query's"
