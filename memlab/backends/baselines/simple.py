"""Controls that do not read the query, or hardly."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import ClassVar

from pydantic import Field

from .control import Control, ControlOptions
from .documents import Document, Source

__all__ = ["FullContext", "Random", "Recent"]


class Recent(Control):
    """Return the newest documents, whatever is asked; those without a time come last."""

    kind: ClassVar[str] = "recent"

    def rank(self, query: str, limit: int) -> Iterable[tuple[int, float]]:  # noqa: ARG002
        """Return place and seconds since 1970."""
        times = [(place, _seconds(one)) for place, one in enumerate(self.documents)]
        return sorted(times, key=lambda pair: (-pair[1], -pair[0]))[:limit]


def _seconds(document: Document) -> float:
    if document.time is None:
        return float("-inf")
    when: datetime = document.time
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


class Random(Control):
    """Return documents by chance: the floor. The same seed and query give the same ones."""

    kind: ClassVar[str] = "random"

    def __init__(self, source: Source, *, seed: int = 0, name: str = "") -> None:
        """Take the documents and a seed."""
        super().__init__(source, name=name)
        self.seed = seed

    def rank(self, query: str, limit: int) -> Iterable[tuple[int, float]]:
        """Return places drawn without putting back, and the chance of any."""
        size = len(self.documents)
        drawn = random.Random(f"{self.seed}\x1f{query}").sample(range(size), min(limit, size))
        return [(place, 1.0 / size) for place in drawn]


class AllOptions(ControlOptions):
    """The options of a control that returns everything, if not told otherwise."""

    limit: int | None = Field(None, ge=0, description="how many documents at most; None: all")


class FullContext(Control):
    """Return every document in order, as if the whole bank were put into the prompt.

    It finds everything; what it costs is seen in Tokens. Its limit is by
    default the number of documents.
    """

    kind: ClassVar[str] = "full_context"
    options_model: ClassVar[type[ControlOptions]] = AllOptions

    def rank(self, query: str, limit: int) -> Iterable[tuple[int, float]]:  # noqa: ARG002
        """Return the places in order."""
        return [(place, 1.0) for place in range(min(limit, len(self.documents)))]
