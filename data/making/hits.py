"""How often the real engine answers the labelled questions."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .asking import Call, recall_as_agent
from .building import places
from .story import World

CASES = Path(__file__).resolve().parent.parent / "cases" / "world.jsonl"


@dataclass(frozen=True)
class Asked:
    """One question with the ids that came back: from its bank alone, and from the agent's scope."""

    case: dict[str, Any]
    bank: list[str]
    scope: list[str]

    def hit(self, where: str) -> bool:
        """Whether one of the relevant memories is among the ids."""
        return any(key in getattr(self, where) for key in self.case["relevant"])


def read_cases(path: Path = CASES) -> list[dict[str, Any]]:
    """The labelled questions."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def measure(call: Call, world: World, banks: Path) -> list[Asked]:
    """Ask every question of a copy of the banks, since the engine counts what it recalls."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "banks"
        shutil.copytree(banks, copy)
        asked = [_ask(call, world, copy, case) for case in read_cases()]
        call("close")
    return asked


def _ask(call: Call, world: World, folder: Path, case: dict[str, Any]) -> Asked:
    where = places(world, folder)
    (bank,) = (bank for bank in where.every(call) if bank.name == case["bank"])
    alone = recall_as_agent(call, bank, case["query"], world.now)
    scope = where.scope(call, case["cwd"])
    config = {**scope, "dbPath": str(folder / "mnemopi.db"), "scoping": world.scoping}
    whole = call("scopedRecall", now=world.now, config=config, query=case["query"], cwd=case["cwd"])
    return Asked(case, [row["id"] for row in alone], [row["id"] for row in whole])


def report(asked: list[Asked]) -> str:
    """A table: per category the share of questions with a relevant memory among eight."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        groups[one.case["category"]].append(one)
    answerable = [one for one in asked if one.case["relevant"]]
    rows = [(name, group) for name, group in sorted(groups.items()) if name != "null"]
    rows.append(("all answerable", answerable))
    lines = [f"{'category':16} {'cases':>5} {'its bank':>9} {'scope':>7}"]
    for name, group in rows:
        shares = [sum(one.hit(where) for one in group) / len(group) for where in ("bank", "scope")]
        lines.append(f"{name:16} {len(group):5} {shares[0]:9.0%} {shares[1]:7.0%}")
    empty = [sum(not getattr(one, where) for one in groups["null"]) for where in ("bank", "scope")]
    lines.append(f"null: {len(groups['null'])} cases, nothing recalled in {empty[0]} / {empty[1]}")
    return "\n".join(lines)
