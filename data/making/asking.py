"""Where the banks of a world are, and how the engine is asked about one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: The engine's own identity inside the agent; it is written into every row.
AUTHOR = {"author_id": "coding-agent", "author_type": "agent"}

#: One operation of the engine: name, then keywords; gives the result.
Call = Callable[..., Any]


@dataclass(frozen=True)
class Bank:
    """One bank: the agent's name for it, its file, and the letters of its ids."""

    name: str
    file: Path
    prefix: str

    def ask(self, call: Call, op: str, now: str, *, session: str | None = None, **args: Any) -> Any:
        """Run one operation on this bank at a frozen time.

        The agent opens a bank with the bank's name as session and channel.
        """
        who = session or self.name
        place = {"db": str(self.file), "bank": self.name, "session": who, "channel": who}
        return call(op, now=now, **place, **AUTHOR, **args)

    def sql(self, call: Call, now: str, sql: str, *params: Any) -> list[dict[str, Any]]:
        """Run one statement through the engine's own connection."""
        rows: list[dict[str, Any]] = self.ask(call, "sql", now, sql=sql, params=list(params))
        return rows


def recall_as_agent(call: Call, bank: Bank, query: str, now: str) -> list[dict[str, Any]]:
    """Recall from one bank with the agent's own options: eight results, facts among them."""
    options = {"includeFacts": True, "channelId": bank.name}
    args: dict[str, Any] = {"query": query, "topK": 8, "options": options}
    found: list[dict[str, Any]] = bank.ask(call, "recallEnhanced", now, **args)
    return found


@dataclass(frozen=True)
class Places:
    """The banks of a world below one folder."""

    folder: Path
    base: str
    scoping: str
    prefixes: dict[str, str]

    @property
    def shared(self) -> Bank:
        """The bank of all projects."""
        return Bank(self.base, self.folder / "mnemopi.db", self.prefixes["shared"])

    def project(self, call: Call, root: str) -> Bank:
        """The bank of a directory, named by the agent's rule."""
        name = self.scope(call, root)["retainBank"]
        return self._named(name, self.prefixes[root])

    def scope(self, call: Call, cwd: str) -> dict[str, Any]:
        """What the agent writes to and recalls from in a directory, legacy banks included."""
        scope: dict[str, Any] = call(
            "bankScope", configured=self.base, cwd=cwd, scoping=self.scoping
        )
        recall = call(
            "legacyBanks",
            resolved=scope["recallBanks"],
            dbPath=str(self.folder / "mnemopi.db"),
            cwd=cwd,
        )
        return {**scope, "recallBanks": recall}

    def every(self, call: Call) -> list[Bank]:
        """All banks, the shared one first."""
        roots = [root for root in self.prefixes if root != "shared"]
        return [self.shared, *(self.project(call, root) for root in roots)]

    def _named(self, name: str, prefix: str) -> Bank:
        return Bank(name, self.folder / "banks" / name / "mnemopi.db", prefix)
