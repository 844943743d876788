"""A backend that remembers its last answers, for settings that differ only after the recall."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from ...backends import Backend
from ...models import Memories, Recall
from ..digest import digest

__all__ = ["Remembering"]

KEPT = 64


class Remembering:
    """Answers what it was just asked from memory; everything else is the backend's."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._last: OrderedDict[str, Recall] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Return the name of the backend."""
        return self.backend.name

    @property
    def bank(self) -> Any:
        """Return the bank of the backend, where it has one."""
        return getattr(self.backend, "bank", None)

    def recall(self, query: str, **options: Any) -> Recall:
        """Recall, or return the same answer again."""
        key = digest([query, options])
        with self._lock:
            if key in self._last:
                self._last.move_to_end(key)
                return self._last[key]
        answer = self.backend.recall(query, **options)
        with self._lock:
            self._last[key] = answer
            while len(self._last) > KEPT:
                self._last.popitem(last=False)
        return answer

    def memories(self) -> Memories:
        """Return the memories of the backend."""
        return self.backend.memories()

    def close(self) -> None:
        """Leave the backend open: it belongs to the caller."""
