"""The formula that turns the reranker's score into the final one.

final = base x (1 + 0.2 (recency - 0.5)) x (1 + 0.2 (temporal - 0.5)) x (1 + 0.1 (proof - 0.5)),
each signal between 0 and 1, 0.5 neutral; with rank fusion instead of a
reranker, base falls evenly from 1.0 to 0.1 over the ranks. Shares as in
Hindsight 1.1.0; checked against its scores by the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["SHARES", "Candidate", "factor"]

SHARES: Mapping[str, float] = {"recency": 0.2, "temporal": 0.2, "proof": 0.1}
"""How much of the score each boost can move: half of it up, half of it down."""
_NEUTRAL = 0.5


def factor(boost: str, signal: float | None) -> float:
    """Return what a boost multiplies the score with; 1 where it has no signal."""
    return 1.0 + SHARES[boost] * ((_NEUTRAL if signal is None else signal) - _NEUTRAL)


@dataclass(frozen=True)
class Candidate:
    """A memory in the last stages: its reranker and fusion scores, its boosts, its final score.

    ``base`` is what the boosts are applied to, ``rrf`` the score of rank fusion,
    ``rrf_rank`` and ``rank`` (the final one) count from 1.
    """

    id: str
    text: str
    rank: int
    final: float
    base: float
    rrf: float
    rrf_rank: int
    recency: float | None = None
    temporal: float | None = None
    proof: float | None = None
    reranker: float | None = None

    def factors(self) -> dict[str, float]:
        """Return the factor of each boost."""
        return {name: factor(name, getattr(self, name)) for name in SHARES}

    @property
    def expected(self) -> float:
        """Return the final score by the formula."""
        product = self.base
        for one in self.factors().values():
            product *= one
        return product

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Candidate:
        """Read a reranked row of a trace."""
        parts = record.get("score_components") or {}
        final = record.get("rerank_score", parts.get("combined_score", 0.0))
        return cls(
            id=str(record["node_id"]),
            text=str(record.get("text") or ""),
            rank=int(record["rerank_rank"]),
            final=float(final),
            base=float(parts.get("cross_encoder_score_normalized", final)),
            rrf=float(parts.get("rrf_score") or 0.0),
            rrf_rank=int(record.get("rrf_rank") or 0),
            recency=parts.get("recency"),
            temporal=parts.get("temporal"),
            proof=parts.get("proof_norm"),
            reranker=parts.get("cross_encoder_score"),
        )
