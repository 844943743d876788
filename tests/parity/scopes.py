"""Random scopes: a project bank, a shared one, a legacy one, some of their rows the same.

make_world(engine, folder, seed, kind) lays three random banks out as the agent
does, under names made of ordinary words, so that fallback queries are asked;
make_asks(seed, n, world) gives random scoped recalls over them.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from memlab import Scope
from memlab.mnemopi.engine import Engine
from memlab.mnemopi.engine.copies import copy_bank
from tests.parity.banks import BankInfo, make_bank
from tests.parity.queries import make_queries

__all__ = ["Ask", "World", "make_asks", "make_world"]

MODES = ("global", "per-project", "per-project-tagged", "per-project-tagged")
NOW = "2026-03-01T12:00:00.000Z"


@dataclass(frozen=True)
class World:
    """Three banks in the agent's layout, and what queries about them need to know."""

    path: Path
    project: str
    shared: str
    legacy: str
    info: BankInfo

    def file(self, bank: str) -> Path:
        """The database of a bank."""
        return (
            self.path if bank == self.shared else self.path.parent / "banks" / bank / "mnemopi.db"
        )


@dataclass(frozen=True)
class Ask:
    """One scoped recall to ask both sides."""

    query: str
    mode: str
    banks: tuple[str, ...]
    limit: int
    broken: tuple[str, ...]
    now: str

    def scope(self, world: World) -> Scope:
        """The scope that memlab recalls over."""
        shared = world.shared if self.mode == "per-project-tagged" else None
        files = {bank: world.file(bank) for bank in self.banks}
        mode: Any = self.mode
        return Scope("mnemopi", mode, "/w", self.banks[0], self.banks, shared, files=files)

    def wire(self, world: World, vectors: dict[str, Any] | None = None) -> dict[str, Any]:
        """The request for the agent's layer; what it writes is undone.

        ``vectors`` are what its embedder makes of each query; without them it has no embedder.
        """
        config = {
            "dbPath": world.path,
            "bank": self.banks[0],
            "retainBank": self.banks[0],
            "globalBank": world.shared,
            "baseBank": world.shared,
            "recallBanks": list(self.banks),
            "scoping": self.mode,
            "recallLimit": self.limit,
        }
        args = {"config": {**config, "dbPath": str(world.path)}, "query": self.query}
        return {
            "op": "scopedRecallText",
            "now": self.now,
            "undo": True,
            "args": args | {"breakBanks": list(self.broken), "vectors": vectors},
        }


def make_world(engine: Engine, folder: Path, seed: int, kind: str) -> World:
    """Build the banks; the shared one begins as a copy of the project's, then parts from it."""
    rng = Random(f"world {seed} {kind}")
    folder.mkdir(parents=True)
    info = make_bank(engine, folder / "made.db", seed, kind)
    words = [word for word in info.words if word.isascii() and word.isalnum()] or ["kestrel"]
    chosen = rng.choices(words, k=rng.randint(1, 2))
    tail = rng.choice(["1rb2hu4n771fr", "28k8yu3vl3sfg"])
    base = rng.choice(["", "team-", f"{rng.choice(words)}_"])
    project = f"{base}{'-'.join(chosen)}-{tail}"
    world = World(folder / "mnemopi.db", project, "team", f"old-{chosen[0]}", info)
    for bank in (world.project, world.shared, world.legacy):
        target = world.file(bank)
        copy_bank(info.path, target)
        _rename(target, info.bank, bank)
        if bank != world.project:
            _part(target, rng)
    return world


def _rename(path: Path, old: str, new: str) -> None:
    """The rows of a session become those of another."""
    tables = ("working_memory", "episodic_memory")
    with closing(sqlite3.connect(path)) as db, db:
        for table in (*tables, "facts"):
            db.execute(f"UPDATE {table} SET session_id = ? WHERE session_id = ?", (new, old))
        for table in tables:
            db.execute(f"UPDATE {table} SET channel_id = ? WHERE channel_id = ?", (new, old))


def _part(path: Path, rng: Random) -> None:
    """Some rows go, some get another score, id, time or text; the rest stays the same in both."""
    share = rng.choice([2, 3, 5])
    with closing(sqlite3.connect(path)) as db, db:
        for table in ("working_memory", "episodic_memory"):
            where = f"abs(rowid * {rng.randrange(1, 999, 2)}) % {share}"
            db.execute(f"DELETE FROM {table} WHERE {where} = 0")
            db.execute(f"UPDATE {table} SET importance = 0.9 WHERE {where} = 1 AND rowid % 3 = 0")
            db.execute(f"UPDATE {table} SET id = 'x' || id WHERE {where} = 1 AND rowid % 3 = 1")
            db.execute(f"UPDATE {table} SET content = content || ' too' WHERE rowid % 7 = 1")
            db.execute(f"UPDATE {table} SET timestamp = NULL WHERE rowid % 11 = 1")
        db.execute(f"DELETE FROM facts WHERE rowid % {share + 1} = 0")
        db.execute("UPDATE facts SET fact_id = 'x' || fact_id WHERE rowid % 4 = 1")


def make_asks(seed: int, n: int, world: World) -> list[Ask]:
    """Make n random scoped recalls; the project's name stands in every other query."""
    rng = Random(f"asks {seed} {world.project}")
    return [_ask(rng, query.query, world) for query in make_queries(seed, n, world.info)]


def _ask(rng: Random, query: str, world: World) -> Ask:
    mode = rng.choice(MODES)
    banks = (world.shared,) if mode == "global" else (world.project,)
    if mode == "per-project-tagged":
        banks += (world.shared,)
    if mode != "global" and rng.random() < 0.4:
        banks += (world.legacy,)
    chance = rng.random()
    broken = banks if chance < 0.02 else (rng.choice(banks),) if chance < 0.06 else ()
    limit = rng.choice([8, 8, 8, 3, 1, 20])
    now = NOW if rng.random() < 0.8 else "2026-04-01T00:00:00.000Z"
    return Ask(_named(rng, query, world), mode, banks, limit, broken, now)


def _named(rng: Random, query: str, world: World) -> str:
    """Put the project's name into a query, as people write it, or leave it."""
    if rng.random() < 0.5:
        return query
    parts = world.project.replace("_", "-").split("-")
    name = rng.choice([world.project, " ".join(parts), "-".join(parts[:-1]), rng.choice(parts)])
    name = rng.choice([name, name.upper(), f"{name},", f"and {name}?", f"{name} or"])
    return rng.choice([f"{name} {query}", f"{query} {name}", name])
