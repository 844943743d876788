"""Who flipped it: pairs of memories whose order the boosts turned round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal

import pandas as pd

from ..frames import Column, to_frame
from .boosts import SHARES, Candidate

__all__ = ["Against", "flips", "order_is_recency", "rank_correlation"]

Against = Literal["reranker", "rrf"]
_COLUMNS = (
    Column("winner"), Column("loser"), Column("winner_rank", "int"), Column("loser_rank", "int"),
    Column("lead", "float"), Column("turned", "float"), Column("recency", "float"),
    Column("temporal", "float"), Column("proof", "float"), Column("by"),
    Column("winner_text"), Column("loser_text"),
)  # fmt: skip
_FEWEST = 4
_SAME, _OTHER = 0.95, 0.5


def flips(candidates: Sequence[Candidate], against: Against = "reranker") -> pd.DataFrame:
    """Return the pairs whose final order differs from that of the reranker or of rank fusion.

    One row per pair, the widest lead that was lost first. ``lead`` is by how
    much the loser was ahead before (0.05: 5 %), ``turned`` by how much it is
    behind in the end; of rank fusion, whose scores are no such shares, the lead
    is that of its ranks. ``recency``, ``temporal`` and ``proof`` are what each
    boost did for the winner against the loser, as shares of the score; ``by``
    names the boost that did the most.
    """
    rows = []
    for one, other in combinations(candidates, 2):
        winner, loser = (one, other) if one.rank < other.rank else (other, one)
        if _ahead(loser, winner, against):
            rows.append(_row(winner, loser, against))
    rows.sort(key=lambda row: (-float(row["lead"]), row["winner_rank"], row["loser_rank"]))
    return to_frame(rows, _COLUMNS)


def _ahead(one: Candidate, other: Candidate, against: Against) -> bool:
    if against == "rrf":
        return one.rrf > other.rrf
    return one.base > other.base


def _row(winner: Candidate, loser: Candidate, against: Against) -> dict[str, Any]:
    won, lost = winner.factors(), loser.factors()
    gains = {name: won[name] / lost[name] - 1 for name in SHARES}
    before = (
        (loser.base, winner.base)
        if against == "reranker"
        else (1 / (60 + loser.rrf_rank), 1 / (60 + winner.rrf_rank))
    )
    return {
        "winner": winner.id,
        "loser": loser.id,
        "winner_rank": winner.rank,
        "loser_rank": loser.rank,
        "lead": before[0] / before[1] - 1 if before[1] else math.inf,
        "turned": winner.final / loser.final - 1 if loser.final else math.inf,
        **gains,
        "by": max(gains, key=lambda name: gains[name]) if max(gains.values()) > 0 else "reranker",
        "winner_text": winner.text,
        "loser_text": loser.text,
    }


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's correlation of two lists; NaN where one of them does not vary."""
    ranks = pd.DataFrame({"one": list(one), "other": list(other)}).rank()
    if len(ranks) < 2 or ranks["one"].nunique() < 2 or ranks["other"].nunique() < 2:
        return math.nan
    return float(ranks["one"].corr(ranks["other"]))


def order_is_recency(candidates: Sequence[Candidate]) -> bool:
    """Tell whether the final order is just newest first, whatever the relevance.

    True where final rank and recency agree (correlation above 0.95) while final
    rank and rank fusion do not (below 0.5), over at least four memories.
    """
    if len(candidates) < _FEWEST:
        return False
    final = [-one.rank for one in candidates]
    recency = [0.5 if one.recency is None else one.recency for one in candidates]
    fusion = rank_correlation(final, [one.rrf for one in candidates])
    by_age = rank_correlation(final, recency)
    return by_age > _SAME and not fusion >= _OTHER
