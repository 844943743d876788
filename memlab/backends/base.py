"""The protocol of a memory backend."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from ..models import Memories, Recall

__all__ = ["Backend"]


@runtime_checkable
class Backend(Protocol):
    """A place that memories are recalled from.

    ``recall`` raises an error of memlab's tree when the backend does not
    answer, and refuses options it does not know.
    """

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        ...

    def recall(self, query: str, **options: Any) -> Recall:
        """Recall memories for a query, best first."""
        ...

    def memories(self) -> Memories:
        """Return the stored memories."""
        ...

    def close(self) -> None:
        """Release what the backend holds open."""
        ...
