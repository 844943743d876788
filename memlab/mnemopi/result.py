"""The answer of a Mnemopi bank, with the agent's own texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

import pandas as pd

from ..errors import InputError
from ..models import Hit, Outcome, Recall
from ..text.terminal import printable
from .explaining import Explanation, explain, funnel
from .explaining.funnel import funnel_rows
from .explaining.scoped import explain_parts, funnel_parts
from .pipeline import Run
from .records import Record
from .snapshot import Snapshot
from .texts import context_text, recall_block, tool_text

__all__ = ["MnemopiRecall", "answer", "as_hit", "engine_answer"]

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
    """What a Mnemopi bank answered, and the texts the agent would make of it.

    ``now`` is the clock of the recall. ``notes`` say in sentences what a reader
    should know. ``run`` and ``snapshot`` are the stages and the bank that they
    were asked of, for :meth:`explain` and :meth:`funnel`.
    """

    now: str = ""
    run: Run | None = field(default=None, compare=False)
    snapshot: Snapshot | None = field(default=None, compare=False)
    notes: tuple[str, ...] = ()

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

    def explain(self, key: str) -> Explanation:
        """Tell what became of a memory or fact in this recall: found, or where it was lost and why.

        For a recall over several banks, the bank it came furthest in answers.
        Raises MemoryNotFound, or InputError if the recall has left its bank.
        """
        parts = getattr(self, "parts", None)
        if parts is not None:
            return explain_parts(parts, self.hits, getattr(self, "pool", self.hits), key)
        return explain(*self._ran(), key)

    def funnel(self) -> pd.DataFrame:
        """Return how many memories reached each stage: a frame, one row per stage.

        Columns: stage, working, episodic, facts, total, lost (since the stage
        before), about; for a recall over several banks, bank and asked before them.
        """
        parts = getattr(self, "parts", None)
        if parts is not None:
            return funnel_parts(parts, self.hits, getattr(self, "pool", self.hits))
        return funnel(*self._ran())

    def funnel_rows(self) -> list[dict[str, Any]]:
        """Return the rows of the funnel of a recall of one bank, as plain records."""
        return funnel_rows(*self._ran())

    def _ran(self) -> tuple[Run, Snapshot]:
        """Return what the stages were kept in, and the bank they were asked of."""
        if self.run is None or self.snapshot is None:
            raise InputError(
                "The stages of this recall are not at hand: it was answered by the real engine, "
                "or in another process. Ask the bank again, with memlab's own recall."
            )
        return self.run, self.snapshot

    def _remarks(self) -> list[str]:
        """Return what stands below the hits where they are shown."""
        return list(self.notes)

    def __repr__(self) -> str:
        """Show the query, one line per hit, and what should be known."""
        return "\n".join([super().__repr__(), *map(printable, self._remarks())])

    def _repr_html_(self) -> str:
        """Show the hits as a table, and below it what should be known."""
        below = "".join(f"<p>{escape(line)}</p>" for line in self._remarks())
        return super()._repr_html_() + below

    def __getstate__(self) -> dict[str, Any]:
        """Travel between processes without the bank."""
        return {**self.__dict__, "snapshot": None}


def answer(
    run: Run,
    backend: str,
    options: Mapping[str, Any],
    seconds: float,
    *,
    snapshot: Snapshot | None = None,
    notes: tuple[str, ...] = (),
) -> MnemopiRecall:
    """Wrap a finished run; ``snapshot`` is the bank it was asked of, for later questions."""
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
        snapshot=snapshot,
        notes=notes,
    )


def engine_answer(
    query: str,
    records: Sequence[Record],
    backend: str,
    *,
    options: Mapping[str, Any],
    seconds: float,
    now: str,
    notes: tuple[str, ...] = (),
) -> MnemopiRecall:
    """Wrap what the real engine answered; it keeps no stages."""
    hits = tuple(as_hit(record, rank) for rank, record in enumerate(records, start=1))
    return MnemopiRecall(
        query=query,
        hits=hits,
        outcome=Outcome.OK if hits else Outcome.EMPTY,
        backend=backend,
        options=options,
        seconds=seconds,
        now=now,
        notes=notes,
    )
