"""What a backend answered to one case, as it is kept with a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ..models import Hit, Outcome
from .case import Case
from .shapes import AnswerShape, fit

__all__ = ["Answer", "plain", "ranked_answer"]

HIT_FIELDS = ("rank", "id", "text", "score", "tier", "source", "timestamp", "scores")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one case: how it ended, the hits, and what they cost.

    ``query`` is what was sent. ``keys`` are the hits' keys, of the kind that
    the case is labelled with; a key may repeat. ``tokens`` counts what the
    agent would be shown, ``hit_tokens`` the text of each hit, ``cut`` the hits
    that were recalled and did not fit into the block. ``places`` names for each
    hit its bank and tags; ``outside`` tells whether it lies outside the scope
    (None: nobody said what the scope is). ``error`` says why there is no answer.
    ``lost`` says, where it was asked for, at which stage each relevant key that
    is missing was lost, and why.
    """

    case: str
    outcome: Outcome
    query: str = ""
    hits: tuple[Hit, ...] = ()
    keys: tuple[str, ...] = ()
    hit_tokens: tuple[int, ...] = ()
    tokens: int = 0
    cut: int = 0
    seconds: float = field(default=0.0, compare=False)
    places: tuple[tuple[str, ...], ...] = ()
    outside: tuple[bool, ...] | None = None
    error: str = ""
    lost: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def judged(self, allowed: Collection[str] | None) -> Answer:
        """Return the answer with each hit marked that has no allowed id, bank or tag."""
        if allowed is None:
            return self if self.outside is None else replace(self, outside=None)
        known = frozenset(allowed)
        pairs = zip(self.hits, self.places, strict=True)
        return replace(
            self, outside=tuple(known.isdisjoint((hit.id, *names)) for hit, names in pairs)
        )

    def record(self) -> dict[str, Any]:
        """Return the answer as plain JSON values; what is empty is left out."""
        row = {f.name: getattr(self, f.name) for f in fields(self)}
        row["outcome"] = self.outcome.value
        row["hits"] = [_hit_record(hit) for hit in self.hits]
        row["lost"] = dict(self.lost)
        empty: tuple[object, ...] = ((), [], "", None, 0, {})
        found = {name: value for name, value in row.items() if value not in empty}
        # That no hit was judged is not the same as that nobody judged.
        return found if self.outside is None else found | {"outside": self.outside}

    @classmethod
    def from_record(cls, row: Mapping[str, Any]) -> Answer:
        """Make an answer of its record; raise ValueError for anything else."""
        fit(AnswerShape, row)
        given = dict(row)
        given["outcome"] = Outcome(given["outcome"])
        given["hits"] = tuple(Hit(**hit) for hit in given.get("hits", ()))
        for name in ("keys", "hit_tokens"):
            given[name] = tuple(given.get(name, ()))
        given["places"] = tuple(map(tuple, given.get("places", ())))
        if given.get("outside") is not None:
            given["outside"] = tuple(given["outside"])
        given["lost"] = {key: tuple(told) for key, told in given.get("lost", {}).items()}
        return cls(**given)


def _hit_record(hit: Hit) -> dict[str, Any]:
    row = {name: getattr(hit, name) for name in HIT_FIELDS} | {"scores": dict(hit.scores)}
    return {name: value for name, value in row.items() if value not in (None, {})}


def ranked_answer(case: Case, keys: Iterable[str]) -> Answer:
    """Return an answer that is nothing but a ranking of keys."""
    order = tuple(keys)
    hits = tuple(Hit(rank, key, "", None, "") for rank, key in enumerate(order, start=1))
    return Answer(
        case.id,
        Outcome.OK if hits else Outcome.EMPTY,
        case.query,
        hits,
        order,
        (0,) * len(hits),
        places=((),) * len(hits),
    )


def plain(hit: Hit) -> Hit:
    """Return a hit with what is kept of it."""
    return Hit(**{name: getattr(hit, name) for name in HIT_FIELDS})
