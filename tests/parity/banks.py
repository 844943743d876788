"""Random Mnemopi banks, made by the real engine from a seed.

make_bank(engine, path, seed) builds one; the seed decides everything but the
times SQLite itself writes (created_at). Ten kinds are written row by row, the
eleventh, "lived", by the engine's own operations over four simulated months.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from memlab.mnemopi.engine import Engine
from memlab.mnemopi.engine.wire import utc_text
from tests.parity import rows
from tests.parity.rows import SHAPES, Shape
from tests.parity.strange import spoil
from tests.parity.words import MANY, text

__all__ = ["KINDS", "BankInfo", "make_bank"]

KINDS = (*SHAPES, "lived")


@dataclass(frozen=True)
class BankInfo:
    """A random bank, and what queries about it need to know."""

    path: Path
    bank: str
    seed: int
    kind: str
    words: tuple[str, ...]
    samples: tuple[str, ...]
    width: int
    counts: dict[str, int]


def make_bank(engine: Engine, path: Path, seed: int, kind: str | None = None) -> BankInfo:
    """Build a bank at a path where there is none; without a kind, the seed chooses it."""
    kind = kind or KINDS[seed % len(KINDS)]
    rng = Random(f"bank {seed} {kind}")
    bank = f"b{seed}"
    if kind == "lived":
        _live(path, bank, rng)
    else:
        _fill(engine, path, bank, rng, SHAPES[kind])
    engine.call("close", prefix=str(path))
    shape = SHAPES.get(kind, Shape(0, 0, 0))
    return BankInfo(
        path=path,
        bank=bank,
        seed=seed,
        kind=kind,
        words=shape.words,
        samples=tuple(
            _column(
                engine,
                path,
                bank,
                "SELECT content FROM working_memory WHERE typeof(content) = 'text' LIMIT 40",
            )
        ),
        width=shape.width,
        counts={name: _count(engine, path, bank, name) for name in _TABLES},
    )


_TABLES = ("working_memory", "episodic_memory", "facts", "memory_embeddings")


def _fill(engine: Engine, path: Path, bank: str, rng: Random, shape: Shape) -> None:
    """Let the engine make the file, then write odd rows that no operation of it would write."""

    def write(table: tuple[str, tuple[str, ...]], many: list[list[Any]]) -> None:
        if shape.strange:
            many = [spoil(rng, table, row) for row in many]
        engine.call("sql", db=path, bank=bank, sql=rows.insert(table), many=many)

    working = [rows.working(rng, shape, bank, n) for n in range(shape.working)]
    ids = [str(row[0]) for row in working]
    episodic = [rows.episodic(rng, shape, bank, n, ids) for n in range(shape.episodic)]
    write(rows.WORKING, working)
    write(rows.EPISODIC, episodic)
    write(rows.FACT, [rows.fact(rng, shape, bank, n, ids) for n in range(shape.facts)])
    if shape.width:
        every = ids + [str(row[0]) for row in episodic]
        chosen = [name for name in every if rng.random() < 0.6]
        write(rows.EMBEDDING, [rows.embedding(rng, shape, name) for name in chosen])


def _live(path: Path, bank: str, rng: Random) -> None:
    """Four months of an agent: sessions, edits, consolidation, ageing.

    An engine of its own, because the ids it makes depend on what it made before.
    """
    with Engine.start(repeatable=True) as engine:
        _sessions(engine, path, bank, rng)


def _sessions(engine: Engine, path: Path, bank: str, rng: Random) -> None:
    ids: list[str] = []
    for session in range(24):
        start = rows.NOW - timedelta(days=120 - 5 * session)
        now = utc_text(start)

        def call(op: str, moment: str = now, **args: Any) -> Any:
            who = bank if rng.random() < 0.85 else "other"
            return engine.call(op, db=path, bank=bank, session=who, channel=who, now=moment, **args)

        call("sleep")
        call("degradeEpisodic")
        for number in range(rng.randint(1, 6)):
            moment = utc_text(start + timedelta(minutes=number))
            ids.append(call("beamRemember", moment, **_memory(rng, f"m{session:02d}{number}")))
        call("rememberBatch", items=[{"content": text(rng, MANY, 3, 12)} for _ in range(3)])
        _edit(call, rng, ids)
        call("extractAndStoreFacts", content=_said(rng), sourceMemoryId=ids[-1])
    call("consolidateToEpisodic", summary=text(rng, MANY, 10, 30), sourceIds=ids[-2:])


def _memory(rng: Random, name: str) -> dict[str, Any]:
    options = {
        "memoryId": name,
        "source": rng.choice(rows.SOURCES),
        "importance": round(rng.random(), 2),
        "veracity": rng.choice(["stated", "tool", "unknown", "inferred"]),
        "memoryType": rng.choice(["fact", "episode"]),
        "scope": rng.choice(["bank", "session", "global"]),
    }
    return {"content": text(rng, MANY, 4, 20), "options": options}


def _edit(call: Any, rng: Random, ids: list[str]) -> None:
    op = rng.choice(["invalidate", "invalidate", "update", "forget", "putEmbedding"])
    extra: dict[str, dict[str, Any]] = {
        "invalidate": {"replacementId": rng.choice([None, *ids])},
        "update": {"content": text(rng, MANY, 3, 9), "importance": 0.9},
        "putEmbedding": {"vector": [round(rng.uniform(-1, 1), 4) for _ in range(6)]},
    }
    call(op, memoryId=rng.choice(ids), **extra.get(op, {}))


def _said(rng: Random) -> str:
    return (
        f"My name is Iris and I live in {rng.choice(['Westmarch', 'Basalt Bay'])}. "
        f"I prefer {text(rng, MANY, 1, 3)}. Release {rng.randint(1, 9)}.4.1 due on 2026-04-02. "
        f"The deploy takes {rng.randint(2, 60)} minutes. Always run the linter."
    )


def _column(engine: Engine, path: Path, bank: str, sql: str) -> list[str]:
    found = engine.call("sql", db=path, bank=bank, sql=sql)
    engine.call("close", prefix=str(path))
    return [value for row in found for value in row.values()]


def _count(engine: Engine, path: Path, bank: str, table: str) -> int:
    return int(_column(engine, path, bank, f"SELECT count(*) FROM {table}")[0])
