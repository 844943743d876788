"""The ceiling: what a perfect ranking of these documents would be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol

from .control import Control
from .documents import Source

__all__ = ["Labelled", "Oracle"]


class Labelled(Protocol):
    """A question with its labels, such as a Case."""

    @property
    def query(self) -> str:
        """Return what is asked."""
        ...

    @property
    def relevant(self) -> Mapping[str, int] | None:
        """Return the grades of the relevant keys."""
        ...


class Oracle(Control):
    """Return the relevant documents of a query, best grade first, and nothing else.

    What it misses no recall of these documents can find: labels that the bank
    does not hold, or more relevant documents than the limit. It knows a case
    by its query; cases that ask the same share their labels.
    """

    kind: ClassVar[str] = "oracle"

    def __init__(self, source: Source, cases: Iterable[Labelled], *, name: str = "") -> None:
        """Take the documents, and the cases whose labels are known."""
        super().__init__(source, name=name)
        places = {document.key: place for place, document in enumerate(self.documents)}
        self._known: dict[str, dict[int, int]] = {}
        for case in cases:
            known = self._known.setdefault(case.query, {})
            for key, grade in (case.relevant or {}).items():
                if grade > 0 and key in places:
                    known[places[key]] = max(grade, known.get(places[key], 0))

    def settings(self) -> dict[str, Any]:
        """Return the labels, by query and key."""
        known = {
            query: {self.documents[place].key: grade for place, grade in grades.items()}
            for query, grades in self._known.items()
        }
        return {**super().settings(), "labels": known}

    def rank(self, query: str, limit: int) -> Iterable[tuple[int, float]]:
        """Return place and grade."""
        graded = sorted(self._known.get(query, {}).items(), key=lambda pair: (-pair[1], pair[0]))
        return [(place, float(grade)) for place, grade in graded[:limit]]
