"""Which part of the score put one hit above another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...models import Hit

__all__ = ["Cause", "Pair", "cause"]

_SMALL = 1e-9
# Options of a backend that are weights of a part.
WEIGHTS = {
    "vec_weight": "vector",
    "fts_weight": "full_text",
    "importance_weight": "importance",
    "recency_share": "recency",
    "temporal_weight": "temporal",
    "working_keyword_share": "keyword",
    "episodic_keyword_share": "keyword",
    "working_dense_share": "vector",
}


class Pair(NamedTuple):
    """The hit that rose, and the one it passed, as one run scored them."""

    up: Hit
    down: Hit

    def lead(self, part: str) -> float:
        """Return by how much the first is ahead in a part."""
        return self.up.scores.get(part, 0.0) - self.down.scores.get(part, 0.0)

    @property
    def total(self) -> float:
        """Return by how much the first is ahead in the whole score."""
        return (self.up.score or 0.0) - (self.down.score or 0.0)

    @property
    def parts(self) -> list[str]:
        """Return the parts that either has."""
        return list(dict.fromkeys([*self.up.scores, *self.down.scores]))


class Cause(NamedTuple):
    """The part that did it, how, and by how much the lead grew.

    ``how`` is "value" (the part itself changed), "weight" (the part counts
    otherwise now), "factor" (something that multiplies the score and is no
    part) or "reranking" (scores stayed, the order was made after them).
    """

    part: str
    how: str
    change: float | None


def cause(
    before: Pair, after: Pair, old: Mapping[str, Any] = {}, new: Mapping[str, Any] = {}
) -> Cause:
    """Return what made the first hit of a pair rise above the second.

    ``old`` and ``new`` are the options of the two runs; a changed weight among
    them names its part. Else, where no part changed, it is the part in which
    the riser leads most.
    """
    names = list(dict.fromkeys([*before.parts, *after.parts]))
    grown = {name: after.lead(name) - before.lead(name) for name in names}
    best = max(names, key=lambda name: grown[name], default="")
    if best and grown[best] > _SMALL:
        return Cause(best, "value", grown[best])
    change = after.total - before.total
    if change <= _SMALL:
        return Cause("", "reranking", None)
    moved = {part: after.lead(part) * by for part, by in _moved(old, new).items()}
    leads = moved or {name: after.lead(name) for name in names}
    part = max(leads, key=lambda name: leads[name], default="")
    if part and leads[part] > _SMALL:
        return Cause(part, "weight", change)
    return Cause("", "factor", change)


def _moved(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, float]:
    """Return the parts whose weight was changed, and by how much."""
    found = {}
    for option, part in WEIGHTS.items():
        pair = old.get(option), new.get(option)
        numbers = [value if isinstance(value, int | float) else None for value in pair]
        if numbers[0] == numbers[1]:
            continue
        usual = USUAL.get(option, 0.0)
        one, other = (usual if value is None else float(value) for value in numbers)
        found[part] = other - one
    return found


USUAL = {
    "vec_weight": 0.5,
    "fts_weight": 0.3,
    "importance_weight": 0.2,
    "recency_share": 0.3,
    "working_keyword_share": 0.6,
    "episodic_keyword_share": 0.8,
    "working_dense_share": 0.2,
}
"""The engine's own values, where a run names none."""
