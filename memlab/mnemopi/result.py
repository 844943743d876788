"""The answer of a Mnemopi bank, with the agent's own texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..models import Hit, Outcome, Recall
from .pipeline import Run
from .records import Record
from .texts import context_text, recall_block, tool_text

__all__ = ["MnemopiRecall", "answer", "as_hit"]

_PARTS = {
    "keyword": "keyword_score",
    "full_text": "fts_score",
    "vector": "dense_score",
    "importance": "importance_score",
    "recency": "recency_score",
    "temporal": "temporal_score",
}


def as_hit(record: Record, rank: int) -> Hit:
    """Turn a record of the engine into a hit."""
    fields = record.fields
    return Hit(
        rank=rank,
        id=str(fields["id"]),
        text=str(fields["content"]),
        score=record.score,
        tier=str(fields["tier"]),
        source=fields["source"],
        timestamp=fields["timestamp"] if isinstance(fields["timestamp"], str) else None,
        scores={part: float(fields[name]) for part, name in _PARTS.items() if name in fields},
        raw=fields,
    )


@dataclass(frozen=True, repr=False)
class MnemopiRecall(Recall):
    """What a Mnemopi bank answered, and the texts the agent would make of it."""

    now: str = ""
    run: Run | None = field(default=None, compare=False)

    @property
    def records(self) -> list[Mapping[str, Any]]:
        """Return the engine's records, best first."""
        return [hit.raw for hit in self.hits]

    @property
    def text(self) -> str:
        """Return the answer of the agent's recall tool, to the letter."""
        return tool_text(self.records, self.now)

    @property
    def block(self) -> str:
        """Return the block that auto-recall would put into the prompt; empty where it puts none."""
        return recall_block(self.records) if self.hits else ""

    def context(self, style: Literal["bullet", "json"] = "bullet") -> str:
        """Return the hits grouped for a prompt, as bullets or as JSON."""
        return context_text(self.records, style)


def answer(run: Run, backend: str, options: Mapping[str, Any], seconds: float) -> MnemopiRecall:
    """Wrap a finished run."""
    hits = tuple(as_hit(record, rank) for rank, record in enumerate(run.final, start=1))
    return MnemopiRecall(
        query=run.query.text,
        hits=hits,
        outcome=Outcome.OK if hits else Outcome.EMPTY,
        backend=backend,
        options=options,
        seconds=seconds,
        now=run.query.timing.now,
        run=run,
    )
