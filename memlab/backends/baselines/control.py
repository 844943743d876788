"""What all controls share: documents, options, and the making of an answer."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import InputError, UnknownOption
from ...models import Hit, Memories, Outcome, Recall
from ..closing import Closing
from ..query import Composed, query_text
from .documents import Document, Source, documents_of, memories_of

__all__ = ["Control", "ControlOptions"]


class ControlOptions(BaseModel):
    """The options of a control."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    limit: int | None = Field(8, ge=0, description="how many hits at most; None: all")


class Control(Closing):
    """A backend that ranks documents in one simple way."""

    kind: ClassVar[str] = ""
    options_model: ClassVar[type[ControlOptions]] = ControlOptions

    def __init__(self, source: Source, *, name: str = "") -> None:
        """Take the documents of a bank, of memories, of a mapping or of items."""
        self.documents: tuple[Document, ...] = documents_of(source)
        self._name = name or self.kind

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        return self._name

    @abstractmethod
    def rank(self, query: str, limit: int) -> Iterable[tuple[int, float]]:
        """Return place and score of the best documents, best first."""

    def recall(self, query: str | Composed, **options: Any) -> Recall:
        """Return the best documents for a query; the one option is ``limit``.

        Raises UnknownOption or InputError for what cannot be asked.
        """
        query = query_text(query)
        limit = self._limit(options)
        start = time.perf_counter()
        # No more than there are: SQLite cannot even be asked for a huge number.
        most = min(limit, len(self.documents))
        ranked = list(self.rank(query, most))[:most]
        hits = tuple(self._hit(n, place, score) for n, (place, score) in enumerate(ranked, start=1))
        return Recall(
            query=query,
            hits=hits,
            outcome=Outcome.OK if hits else Outcome.EMPTY,
            backend=self.name,
            options={"limit": limit},
            seconds=time.perf_counter() - start,
        )

    def _limit(self, options: dict[str, Any]) -> int:
        unknown = [name for name in options if name not in ControlOptions.model_fields]
        if unknown:
            raise UnknownOption(f"{self.name} has no option {unknown[0]!r}. It has: limit.")
        try:
            limit = self.options_model(**options).limit
        except ValidationError as error:
            raise InputError(
                f"limit={options['limit']!r} cannot be used: {error.errors()[0]['msg']}."
            ) from None
        return len(self.documents) if limit is None else limit

    def _hit(self, rank: int, place: int, score: float) -> Hit:
        document = self.documents[place]
        when = document.time.isoformat() if document.time else None
        return Hit(
            rank, document.key, document.text, score, document.tier, document.source, when,
            {self.kind: score},
        )  # fmt: skip

    def memories(self) -> Memories:
        """Return the documents as memories."""
        return memories_of(self.documents)

    def settings(self) -> dict[str, Any]:
        """Return what decides the ranking besides documents and query."""
        hidden = ("documents",)
        own = {k: v for k, v in vars(self).items() if not k.startswith("_") and k not in hidden}
        return {"kind": self.kind, **own}

    def close(self) -> None:
        """Release what is held open: nothing, unless a control says otherwise."""

    def __repr__(self) -> str:
        """Show what it ranks."""
        return f"{type(self).__name__}({len(self.documents)} documents)"
