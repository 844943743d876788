"""The writing side of an open bank: each function is one transaction on its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...errors import BankReadOnly, InputError
from ...models import Memory
from ..embedding import Embedder, embed_passages, model_name
from ..lookup import look_up
from ..snapshot import Snapshot
from .building import instant
from .editing import Edit, Operation, checked_update, edit_memory
from .item import NewMemory, memories_of
from .opening import writing
from .remembering import RETAIN_TOOL, Retained, remember
from .rows import add_vector

__all__ = ["Writer"]


@dataclass(frozen=True)
class Writer:
    """Who writes to which file: the bank, and the embedder that keeps its vectors up to date.

    ``alone`` refuses a file that another process has open.
    """

    path: Path
    bank: str
    wait: float
    allowed: bool
    alone: bool = False
    embedder: Embedder | None = None

    def _check(self, what: str) -> None:
        if not self.allowed:
            raise BankReadOnly(
                f"{self.path} is open for reading, so {what} cannot be done. Work on a copy, "
                "which opens writable: bank.copy('copy.db')."
            )

    def edit(
        self,
        snapshot: Snapshot,
        operation: Operation,
        key: str,
        *,
        now: datetime | str | None = None,
        content: str | None = None,
        importance: float | None = None,
        replacement_id: str | None = None,
    ) -> Edit:
        """Run one edit; an update also renews the vector, where there is an embedder."""
        self._check(operation)
        changes: dict[str, Any] = {"replacement_id": replacement_id}
        if operation == "update":
            changes = checked_update(content, importance)
        found = look_up(snapshot, key, self.bank)
        place = Edit(key, "not_found", self.bank, found["memory_store"] if found else None)
        vectors = self._vectors([] if content is None else [content])
        with writing(self.path, self.wait, alone=self.alone) as connection:
            done = edit_memory(connection, operation, key, place, changes=changes, now=instant(now))
            if done.done and vectors and vectors[0] is not None:
                add_vector(connection, key, vectors[0], self._model)
        return done

    def retain(
        self,
        items: Iterable[str | Mapping[str, Any] | NewMemory | Memory],
        *,
        now: datetime | str | None = None,
        trim: bool = True,
    ) -> Retained:
        """Write memories as the agent's retain tool does."""
        self._check("retain")
        checked = memories_of(items, **RETAIN_TOOL)
        if wrong := next((item for item in checked if item.tier != "working"), None):
            raise InputError(
                f"retain writes working memories only; {wrong.text!a:.60} has tier "
                f"{wrong.tier!r}. Use build_bank for a bank with summaries."
            )
        made = self._vectors([item.indexed for item in checked])
        vectors = [item.vector or vector for item, vector in zip(checked, made, strict=True)]
        with writing(self.path, self.wait, alone=self.alone) as connection:
            return remember(
                connection, checked, vectors, self._model,
                bank=self.bank, now=instant(now), trim=trim,
            )  # fmt: skip

    def _vectors(self, texts: list[str]) -> list[tuple[float, ...] | None]:
        if self.embedder is None:
            return [None] * len(texts)
        return embed_passages(self.embedder, texts)

    @property
    def _model(self) -> str | None:
        return None if self.embedder is None else model_name(self.embedder)
