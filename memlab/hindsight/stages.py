"""The parts of a server's trace that memlab reads, checked before they become frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .replies import Reply, read

__all__ = ["checked_trace"]


class _Found(Reply):
    node_id: str
    rank: int
    score: float | None = None


class _Arm(Reply):
    method_name: str
    results: tuple[_Found, ...] | None = None


class _Merged(Reply):
    node_id: str
    final_rrf_rank: int | None = None
    rrf_score: float | None = None
    source_ranks: dict[str, int | None] | None = None


class _Parts(Reply):
    combined_score: float = 0.0
    cross_encoder_score: float | None = None
    cross_encoder_score_normalized: float = 0.0
    rrf_score: float | None = None
    recency: float | None = None
    temporal: float | None = None
    proof_norm: float | None = None


class _Reranked(Reply):
    node_id: str
    rerank_rank: int
    rerank_score: float = 0.0
    rrf_rank: int | None = None
    score_components: _Parts | None = None


class _Phase(Reply):
    phase_name: str
    duration_seconds: float


class _Summary(Reply):
    total_duration_seconds: float | None = None
    phase_metrics: tuple[_Phase, ...] | None = None


class _Trace(Reply):
    retrieval_results: tuple[_Arm, ...] | None = None
    rrf_merged: tuple[_Merged, ...] | None = None
    reranked: tuple[_Reranked, ...] | None = None
    summary: _Summary | None = None


def checked_trace(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a trace as it is. Raises HindsightWrongShape where it is another server's."""
    read("recall's trace", _Trace, raw)
    return raw
