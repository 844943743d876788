"""How an answer came about: the server's trace as frames, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from ..frames import Column, to_frame
from .boosts import Candidate
from .budget import skipped_frame
from .flipping import Against, flips, order_is_recency

__all__ = ["RecallTrace"]

_ARMS = (
    Column("arm", "category"), Column("type", "category"), Column("rank", "int"), Column("id"),
    Column("score", "float"), Column("score_name"), Column("text"),
)  # fmt: skip
_MERGED = (
    Column("rank", "int"), Column("id"), Column("rrf", "float"), Column("semantic", "int"),
    Column("bm25", "int"), Column("graph", "int"), Column("temporal", "int"), Column("text"),
)  # fmt: skip
_RANKED = (
    Column("rank", "int"), Column("id"), Column("final", "float"), Column("base", "float"),
    Column("recency", "float"), Column("temporal", "float"), Column("proof", "float"),
    Column("boost", "float"), Column("rrf_rank", "int"), Column("change", "int"), Column("text"),
)  # fmt: skip


@dataclass(frozen=True)
class RecallTrace:
    """The stages of one recall: arms, rank fusion, reranking, the final cut.

    ``returned`` are the ids of the answer in order; ``raw`` is the server's own
    trace, with everything in it.
    """

    raw: Mapping[str, Any] = field(repr=False)
    returned: tuple[str, ...]
    max_tokens: int

    @cached_property
    def arms(self) -> pd.DataFrame:
        """Return what each arm found: arm, type, rank, id, score, score_name, text."""
        rows = [
            {"arm": arm["method_name"], "type": arm.get("fact_type"), "rank": one["rank"],
             "id": one["node_id"], "score": one.get("score"),
             "score_name": one.get("score_name"), "text": one.get("text")}
            for arm in self._list("retrieval_results")
            for one in arm.get("results") or []
        ]  # fmt: skip
        return to_frame(rows, _ARMS)

    @cached_property
    def merged(self) -> pd.DataFrame:
        """Return the list after rank fusion: rank, id, rrf, the rank in each arm, text."""
        rows = []
        for one in self._list("rrf_merged"):
            places = {
                k.removesuffix("_rank"): v for k, v in (one.get("source_ranks") or {}).items()
            }
            rows.append(
                {"rank": one.get("final_rrf_rank"), "id": one["node_id"],
                 "rrf": one.get("rrf_score"), "text": one.get("text"), **places}
            )  # fmt: skip
        return to_frame(rows, _MERGED)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Return the memories in their final order, before the limit of tokens."""
        found = [Candidate.of(one) for one in self._list("reranked")]
        return tuple(sorted(found, key=lambda one: one.rank))

    @cached_property
    def ranked(self) -> pd.DataFrame:
        """Return the final order: base score, boosts, final score, and the change of rank.

        ``boost`` is the product of the boosts; ``change`` is positive for a
        memory that rose against rank fusion.
        """
        rows = [
            {"rank": one.rank, "id": one.id, "final": one.final, "base": one.base,
             "boost": one.expected / one.base if one.base else None, "rrf_rank": one.rrf_rank,
             "change": one.rrf_rank - one.rank, "text": one.text, **one.factors()}
            for one in self.candidates
        ]  # fmt: skip
        return to_frame(rows, _RANKED)

    @cached_property
    def funnel(self) -> pd.DataFrame:
        """Return how many memories each stage had: stage, memories."""
        arms = self.arms
        rows = [
            {"stage": f"arm {name}", "memories": int(group["id"].nunique())}
            for name, group in arms.groupby("arm", observed=True, sort=False)
        ]
        rows += [
            {"stage": "any arm", "memories": int(arms["id"].nunique())},
            {"stage": "rank fusion", "memories": len(self.merged)},
            {"stage": "reranked", "memories": len(self.candidates)},
            {"stage": "returned", "memories": len(self.returned)},
        ]
        return to_frame(rows, [Column("stage"), Column("memories", "int")])

    @cached_property
    def phases(self) -> pd.DataFrame:
        """Return the server's time per phase: phase, seconds, share of the whole.

        Phases may lie within one another, so the shares need not add up to one.
        """
        summary = self.raw.get("summary") or {}
        whole = summary.get("total_duration_seconds") or 0.0
        rows = [
            {"phase": one["phase_name"], "seconds": one["duration_seconds"],
             "share": one["duration_seconds"] / whole if whole else None}
            for one in summary.get("phase_metrics") or []
        ]  # fmt: skip
        return to_frame(
            rows, [Column("phase"), Column("seconds", "float"), Column("share", "float")]
        )

    @property
    def seconds(self) -> float | None:
        """Return the server's own time for the whole recall."""
        found: float | None = (self.raw.get("summary") or {}).get("total_duration_seconds")
        return found

    def flips(self, against: Against = "reranker") -> pd.DataFrame:
        """Return the pairs whose order the boosts turned round: see :func:`memlab.hindsight.flips`."""
        return flips(self.candidates, against)

    @property
    def order_is_recency(self) -> bool:
        """Tell whether the order is just newest first."""
        return order_is_recency(self.candidates)

    @cached_property
    def tokens(self) -> pd.DataFrame:
        """Return the final order with sizes: rank, id, tokens, room, kept, text.

        Rows that are not kept were skipped: they needed more tokens than there was room.
        """
        ranking = [(one.id, one.text) for one in self.candidates]
        return skipped_frame(ranking, self.returned, self.max_tokens)

    @property
    def skipped(self) -> pd.DataFrame:
        """Return what the limit of tokens left out, best first."""
        frame = self.tokens
        return frame[~frame["kept"].astype(bool)].reset_index(drop=True)

    def _list(self, name: str) -> list[dict[str, Any]]:
        return list(self.raw.get(name) or [])

    def __repr__(self) -> str:
        """Show the funnel in one line."""
        steps = " > ".join(f"{stage} {count}" for stage, count in self.funnel.to_numpy())
        return f"RecallTrace({steps})"
