"""Which part of the score put one hit above another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...models import Hit

__all__ = ["Cause", "Pair", "cause"]

_SMALL = 1e-9
# The engine's own values, where a run names none.
USUAL = {
    "vec_weight": 0.5,
    "fts_weight": 0.3,
    "importance_weight": 0.2,
    "recency_share": 0.3,
    "temporal_weight": 0.0,
    "working_keyword_share": 0.6,
    "episodic_keyword_share": 0.8,
    "working_dense_share": 0.2,
}
SHARED = ("vec_weight", "fts_weight", "importance_weight")


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
    weights = _moved(old, new)
    if {after.up.tier, after.down.tier} == {"working"}:
        weights.pop("full_text", None)  # it has no weight of its own in that tier
    moved = {part: after.lead(part) * by for part, by in weights.items()}
    leads = moved or {name: after.lead(name) for name in names}
    part = max(leads, key=lambda name: leads[name], default="")
    if part and leads[part] > _SMALL:
        return Cause(part, "weight", change)
    return Cause("", "factor", change)


def _moved(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, float]:
    """Return the parts whose weight was changed, and by how much."""
    one, other = _weights(old), _weights(new)
    return {part: other[part] - one[part] for part in one if other[part] != one[part]}


def _weights(options: Mapping[str, Any]) -> dict[str, float]:
    """Return the weight of each part: three share 1 among them, and importance takes from keyword.

    This is how the Mnemopi engine weighs working memories; for one's own
    backends with the same options it says at least which way each weight went.
    """
    given = {name: _number(options.get(name), usual) for name, usual in USUAL.items()}
    total = sum(given[name] for name in SHARED) or 1.0
    shares = {name: given[name] / total for name in SHARED}
    keyword = given["working_keyword_share"] + given["episodic_keyword_share"]
    return {
        "vector": shares["vec_weight"] + given["working_dense_share"],
        "full_text": shares["fts_weight"],
        "importance": shares["importance_weight"],
        "keyword": keyword * (1 - shares["importance_weight"]),
        "recency": given["recency_share"],
        "temporal": given["temporal_weight"],
    }


def _number(value: object, usual: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else usual  # type: ignore[arg-type]
