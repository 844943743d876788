"""What a backend answered to one case, as it is kept with a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..models import Hit, Outcome, Recall
from ..text.tokens import count_tokens

__all__ = ["Answer"]

HIT_FIELDS = ("rank", "id", "text", "score", "tier", "source", "timestamp", "scores")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one case: how it ended, the hits, and what they cost.

    ``query`` is what was sent. ``keys`` are the hits' keys, of the kind that
    the case is labelled with; a key may repeat. ``tokens`` counts what the
    agent would be shown, ``hit_tokens`` the text of each hit. ``outside`` tells
    for each hit whether it lies outside the scope; None: nobody said what the
    scope is. ``error`` says why there is no answer.
    """

    case: str
    outcome: Outcome
    query: str = ""
    hits: tuple[Hit, ...] = ()
    keys: tuple[str, ...] = ()
    hit_tokens: tuple[int, ...] = ()
    tokens: int = 0
    seconds: float = field(default=0.0, compare=False)
    outside: tuple[bool, ...] | None = None
    error: str = ""

    @classmethod
    def of(
        cls,
        case: str,
        recall: Recall,
        keys: tuple[str, ...],
        outside: tuple[bool, ...] | None = None,
    ) -> Answer:
        """Keep what matters of a recall."""
        shown, *parts = count_tokens([recall.text, *(hit.text for hit in recall.hits)])
        return cls(
            case=case,
            outcome=recall.outcome,
            query=recall.query,
            hits=tuple(_plain(hit) for hit in recall.hits),
            keys=keys,
            hit_tokens=tuple(parts),
            tokens=shown if recall.hits else 0,
            seconds=recall.seconds,
            outside=outside,
        )

    def record(self) -> dict[str, Any]:
        """Return the answer as plain JSON values."""
        row = {f.name: getattr(self, f.name) for f in fields(self)}
        row["outcome"] = self.outcome.value
        row["hits"] = [_hit_record(hit) for hit in self.hits]
        return row

    @classmethod
    def from_record(cls, row: Mapping[str, Any]) -> Answer:
        """Make an answer of its record; raise KeyError, TypeError or ValueError for anything else."""
        given = dict(row)
        given["outcome"] = Outcome(given["outcome"])
        given["hits"] = tuple(Hit(**hit) for hit in given["hits"])
        for name in ("keys", "hit_tokens"):
            given[name] = tuple(given[name])
        if given["outside"] is not None:
            given["outside"] = tuple(given["outside"])
        return cls(**given)


def _hit_record(hit: Hit) -> dict[str, Any]:
    return {name: getattr(hit, name) for name in HIT_FIELDS} | {"scores": dict(hit.scores)}


def _plain(hit: Hit) -> Hit:
    return Hit(**{name: getattr(hit, name) for name in HIT_FIELDS})
