"""Where one memory was lost, or how it came in."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ..frames import Column, to_frame
from .trace import RecallTrace

__all__ = ["Explanation", "explain"]

_COLUMNS = (
    Column("stage"), Column("present", "bool"), Column("rank", "int"), Column("score", "float"),
    Column("note"),
)  # fmt: skip


@dataclass(frozen=True)
class Explanation:
    """What became of one memory in one recall.

    ``verdict`` says it in a sentence; ``lost`` names the stage where it was
    lost, None where it was returned.
    """

    id: str
    verdict: str
    lost: str | None
    stages: tuple[tuple[str, bool, int | None, float | None, str], ...]

    def frame(self) -> pd.DataFrame:
        """Return one row per stage: stage, present, rank, score, note."""
        names = [column.name for column in _COLUMNS]
        return to_frame((dict(zip(names, row, strict=True)) for row in self.stages), _COLUMNS)

    def __repr__(self) -> str:
        """Say the verdict."""
        return f"{self.id}: {self.verdict}"


def explain(trace: RecallTrace, key: str) -> Explanation:
    """Follow a memory through the stages of a trace."""
    arms = trace.arms[trace.arms["id"] == key]
    stages: list[tuple[str, bool, int | None, float | None, str]] = [
        (
            f"arm {row['arm']}",
            True,
            int(row["rank"]),
            _number(row["score"]),
            row["score_name"] or "",
        )
        for row in arms.to_dict("records")
    ]
    merged = trace.merged[trace.merged["id"] == key]
    place = next((one for one in trace.candidates if one.id == key), None)
    in_fusion = not merged.empty
    stages.append(
        ("rank fusion", in_fusion,
         int(merged["rank"].iloc[0]) if in_fusion else None,
         _number(merged["rrf"].iloc[0]) if in_fusion else None, "")
    )  # fmt: skip
    boosts = "" if place is None else ", ".join(f"{n} {f:.3f}" for n, f in place.factors().items())
    stages.append(
        (
            "reranked",
            place is not None,
            getattr(place, "rank", None),
            getattr(place, "final", None),
            boosts,
        )
    )
    returned = key in trace.returned
    stages.append(
        ("returned", returned, trace.returned.index(key) + 1 if returned else None, None, "")
    )
    lost, verdict = _verdict(trace, key, not arms.empty, in_fusion)
    return Explanation(key, verdict, lost, tuple(stages))


def _verdict(trace: RecallTrace, key: str, found: bool, fused: bool) -> tuple[str | None, str]:
    if key in trace.returned:
        return None, f"returned as number {trace.returned.index(key) + 1}"
    if not found and not fused:
        return "arms", (
            "no arm found it: no word in common, not alike enough, no link; or it is not of the "
            "types and tags asked for, or there is no such memory"
        )
    sizes = trace.tokens[trace.tokens["id"] == key]
    if sizes.empty:
        return "rank fusion", (
            "an arm found it, but it was not among the candidates that were reranked, or a "
            "floor of min_scores kept it out"
        )
    row = sizes.iloc[0]
    if int(row["tokens"]) > int(row["room"]):
        return "max_tokens", (
            f"ranked {int(row['rank'])}, but skipped: it needs {int(row['tokens'])} tokens, and "
            f"{max(0, int(row['room']))} of {trace.max_tokens} were left"
        )
    return "returned", (
        f"ranked {int(row['rank'])} and small enough, yet not returned: floors of min_scores, "
        "prefer_observations or the budget's number of results"
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None  # numpy floats are floats
