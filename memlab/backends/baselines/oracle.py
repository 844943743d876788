"""The ceiling: what a perfect ranking of these documents would be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol

from ..keys import content_key, field_named, metadata_field
from .control import Control
from .documents import Document, Source

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
    by its query; cases that ask the same share their labels. Where a key stands
    for several documents, as a session does, the first of them is returned.
    """

    kind: ClassVar[str] = "oracle"

    def __init__(self, source: Source, cases: Iterable[Labelled], *, name: str = "") -> None:
        """Take the documents, and the cases whose labels are known."""
        super().__init__(source, name=name)
        self._known: dict[str, dict[int, int]] = {}
        kinds: dict[str, dict[str, int]] = {}
        for case in cases:
            known = self._known.setdefault(case.query, {})
            kind = getattr(case, "keys", "id")
            if kind not in kinds:
                kinds[kind] = self._places(kind)
            places = kinds[kind]
            for key, grade in (case.relevant or {}).items():
                if grade > 0 and key in places:
                    known[places[key]] = max(grade, known.get(places[key], 0))

    def _places(self, kind: str) -> dict[str, int]:
        """Return the first document of each key of a kind."""
        found: dict[str, int] = {}
        for place, document in enumerate(self.documents):
            found.setdefault(_key(document, kind), place)
        return found

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


def _key(document: Document, kind: str) -> str:
    if kind == "id":
        return document.key
    if kind == "content":
        return content_key(document.text)
    return metadata_field(document.metadata or {}, field_named(kind))
