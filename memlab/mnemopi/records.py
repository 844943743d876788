"""The records that a recall returns, field by field as the engine's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..text.javascript import cut, length, number, number_text, round4, split_blanks
from .scoring import Scored

__all__ = ["Record", "clip", "memory_record"]


def clip(text: str, limit: int) -> tuple[str, bool]:
    """Cut a text to a number of UTF-16 units, the last one an ellipsis; tell whether it was cut."""
    if limit <= 0 or length(text) <= limit:
        return text, False
    return cut(text, 0, max(0, limit - 1)) + "…", True


@dataclass(frozen=True)
class Record:
    """One result on its way to the list: its fields, its score, and where it comes from."""

    fields: dict[str, Any]
    scored: Scored | None = None

    @property
    def score(self) -> float:
        """Return the score, four decimals."""
        return float(self.fields["score"])

    @property
    def key(self) -> tuple[str, str]:
        """Return tier and id."""
        return self.fields["tier"], str(self.fields["id"])

    @cached_property
    def bag(self) -> frozenset[str]:
        """Return the set of blank-separated words of the shown text, for similarity."""
        return frozenset(split_blanks(str(self.fields["content"]).lower()))


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _explanation(tier: str, way: str, parts: dict[str, float]) -> str:
    """Name the parts that count; the test is on the exact value, the text shows four decimals."""
    shown = (f" {name}={number_text(round4(x))}" for name, x in parts.items() if x > 0)
    return f"{tier} {way}{''.join(shown)}"


def memory_record(scored: Scored, preview: int) -> Record:
    """Build the result of a working or episodic memory."""
    candidate, row = scored.candidate, scored.candidate.row
    content = row["content"] if isinstance(row["content"], str) else ""
    shown, truncated = clip(content, preview)
    keyword, dense, fts = round4(scored.keyword), round4(candidate.dense), round4(candidate.fts)
    recency, temporal = round4(scored.recency), round4(scored.temporal)
    importance = round4(scored.importance)
    parts = {"keyword": scored.keyword, "dense": candidate.dense, "temporal": scored.temporal}
    fields = {
        **row,
        "id": row["id"] if isinstance(row["id"], str) else "",
        "content": shown,
        "source": _text_or_none(row["source"]),
        "timestamp": _text_or_none(row["timestamp"]),
        "last_recalled": _text_or_none(row["last_recalled"]),
        "importance": scored.importance,
        "recall_count": number(row["recall_count"], 0.0),
        "score": scored.score,
        "rank": candidate.fts,
        "tier": candidate.tier,
        "tier_label": candidate.tier,
        "keyword_score": keyword,
        "dense_score": dense,
        "fts_score": fts,
        "importance_score": importance,
        "recency_score": recency,
        "temporal_score": temporal,
        "explanation": _explanation(candidate.tier, candidate.way, parts),
        "voice_scores": {
            "vec": dense,
            "fts": fts,
            "keyword": keyword,
            "importance": importance,
            "recency_decay": recency,
            "temporal": temporal,
        },
        "truncated": truncated,
        "full_length": length(content),
    }
    if candidate.tier == "episodic":
        fields["degradation_tier"] = number(row["tier"], 1.0)
    return Record(fields, scored)
