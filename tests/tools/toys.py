"""A Hindsight server and banks made of nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memlab.errors import BankLocked
from memlab.mnemopi.writing.editing import Edit
from memlab.mnemopi.writing.remembering import Retained
from memlab.models import Memories, Recall
from tests.autorecall.toys import Toy


class ToyServer:
    """Answers as it is told, and remembers what it was asked."""

    name, bank = "hindsight:omp", "omp"

    def __init__(
        self, *texts: str, answer: Any = "", error: Exception | None = None, **raw: Any
    ) -> None:
        self._recalls = Toy(*texts, name=self.name, error=error, **raw)
        self.answer, self.error = answer, error
        self.reflected: list[tuple[str, str | None, dict[str, Any]]] = []
        self.retained: list[Sequence[Mapping[str, Any]]] = []

    @property
    def asked(self) -> list[tuple[str, dict[str, Any]]]:
        return self._recalls.asked

    def recall(self, query: str, **options: Any) -> Recall:
        return self._recalls.recall(query, **options)

    def reflect(self, query: str, *, context: str | None = None, **options: Any) -> Any:
        self.reflected.append((query, context, options))
        if self.error is not None:
            raise self.error
        return self.answer

    def retain(self, items: Sequence[Mapping[str, Any]]) -> None:
        self.retained.append(items)

    def memories(self) -> Memories:
        return Memories([])

    def close(self) -> None:
        pass


class ToyBank:
    """A bank with memories in stores; ``locked_at`` is the write at which it is locked."""

    def __init__(self, name: str, locked_at: int | None = None, **stores: str) -> None:
        self.name, self.bank, self.stores, self.locked_at = (
            f"mnemopi:{name}",
            name,
            stores,
            locked_at,
        )
        self.calls: list[tuple[Any, ...]] = []
        self.retained: list[Mapping[str, Any]] = []

    def _edit(self, done: str, key: str, needs: tuple[str, ...]) -> Edit:
        store = self.stores.get(key)
        if store == "fact":
            return Edit(key, "not_editable", self.bank, store)
        status: Any = done if store in needs else "not_found"
        return Edit(key, status, self.bank, store)

    def update(self, key: str, content: str | None = None, importance: float | None = None) -> Edit:
        self.calls.append(("update", key, content, importance))
        return self._edit("updated", key, ("working",))

    def forget(self, key: str) -> Edit:
        self.calls.append(("forget", key))
        return self._edit("deleted", key, ("working",))

    def invalidate(self, key: str, replacement_id: str | None = None) -> Edit:
        self.calls.append(("invalidate", key, replacement_id))
        return self._edit("invalidated", key, ("working", "episodic"))

    def retain(self, items: Sequence[Mapping[str, Any]]) -> Retained:
        if self.locked_at is not None and len(self.retained) + 1 >= self.locked_at:
            raise BankLocked("the bank is locked by another process.")
        self.retained += items
        return Retained((f"{self.bank}-{len(self.retained)}",))
