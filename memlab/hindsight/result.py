"""The answer of a Hindsight bank: hits, the agent's texts, the trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from ..errors import InputError
from ..frames import Column, to_frame
from ..models import Hit, Outcome, Recall
from ..text.javascript import length
from ..text.tokens import count_tokens
from .explain import Explanation, explain
from .replies import RecallReply, RecallResult
from .stages import checked_trace
from .texts import recall_block, tool_text
from .trace import RecallTrace

__all__ = ["HindsightRecall", "answer"]

_PARTS = ("reranker", "semantic", "keyword")
_COLUMNS = (
    Column("rank", "int"), Column("id"), Column("score", "float"), Column("tier"),
    Column("source"), Column("timestamp"), Column("text"),
    *(Column(f"score_{part}", "float") for part in _PARTS),
    Column("tokens", "int"), Column("tags", "object"), Column("entities", "object"),
    Column("context"), Column("occurred_start"), Column("occurred_end"), Column("chunk"),
    Column("metadata", "object"),
)  # fmt: skip
_FEW_TOKENS = 64


@dataclass(frozen=True, repr=False)
class HindsightRecall(Recall):
    """What a Hindsight bank answered, and what the agent would make of it.

    ``reply`` is the whole answer: entities, chunks and source facts too, where
    they were asked for. ``clock`` is the time in the head of ``text``: the query's
    timestamp, else when it was asked; ``size`` counts the bytes of the answer.
    """

    clock: str = ""
    size: int = field(default=0, compare=False)
    reply: RecallReply | None = field(default=None, compare=False)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Return sentences about what may surprise in this answer."""
        return tuple(_notes(self.hits, int(self.options.get("max_tokens") or 0)))

    @property
    def text(self) -> str:
        """Return the answer of the agent's recall tool, to the letter."""
        return tool_text(self.records, self.clock)

    @property
    def block(self) -> str:
        """Return the block that auto-recall would put into the prompt; empty where it puts none."""
        return recall_block(self.records) if self.hits else ""

    @cached_property
    def trace(self) -> RecallTrace:
        """Return how the answer came about.

        Raises InputError where it was not asked for, HindsightWrongShape where it is another
        server's.
        """
        if self.reply is None or self.reply.trace is None:
            raise InputError("There is no trace: ask with recall(..., trace=True).")
        raw = checked_trace(self.reply.trace)
        return RecallTrace(raw, self.ids, int(self.options["max_tokens"]))

    def explain(self, key: str) -> Explanation:
        """Tell where a memory was lost, or how it came in; needs a trace, but for a hit."""
        return explain(self.trace, key)

    def frame(self) -> pd.DataFrame:
        """Return the hits as a frame, one row each, best first.

        Columns: rank, id, score (the final one), tier (the type), source (the
        document), timestamp (mentioned), text, score_reranker, score_semantic,
        score_keyword (missing where that stage had nothing to say), tokens,
        tags, entities, context, occurred_start, occurred_end, chunk, metadata.
        """
        sizes = count_tokens([hit.text for hit in self.hits])
        return to_frame(
            (_row(hit, size) for hit, size in zip(self.hits, sizes, strict=True)), _COLUMNS
        )

    @property
    def sizes(self) -> pd.DataFrame:
        """Return the three sizes of the answer: what, tokens, chars (UTF-16 units), bytes.

        ``texts`` is what the server counts against max_tokens, ``block`` what
        the model reads, ``reply`` what came over the wire, before compression.
        """
        texts = "".join(hit.text for hit in self.hits)
        counted = sum(count_tokens([hit.text for hit in self.hits]))
        block = self.block
        rows = [
            {"what": "texts", "tokens": counted, "chars": length(texts), "bytes": _bytes(texts)},
            {"what": "block", "tokens": count_tokens([block])[0], "chars": length(block),
             "bytes": _bytes(block)},
            {"what": "reply", "bytes": self.size},
        ]  # fmt: skip
        kinds = [Column("what"), Column("tokens", "int"), Column("chars", "int")]
        return to_frame(rows, [*kinds, Column("bytes", "int")])

    def __repr__(self) -> str:
        """Show the query, one line per hit, and the notes."""
        return "\n".join([super().__repr__(), *(f"note: {note}" for note in self.notes)])


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _row(hit: Hit, tokens: int) -> dict[str, Any]:
    raw = hit.raw
    return {
        **hit.record(),
        "tokens": tokens,
        "tags": tuple(raw.get("tags") or ()),
        "entities": tuple(raw.get("entities") or ()),
        "chunk": raw.get("chunk_id"),
        "metadata": raw.get("metadata") or {},
        **{name: raw.get(name) or None for name in ("context", "occurred_start", "occurred_end")},
    }


def _hit(rank: int, result: RecallResult, raw: Mapping[str, Any]) -> Hit:
    scores = result.scores
    parts = {} if scores is None else {name: getattr(scores, name) for name in _PARTS}
    return Hit(
        rank=rank,
        id=result.id,
        text=result.text,
        score=None if scores is None else scores.final,
        tier=result.type or "",
        source=result.document_id,
        timestamp=result.mentioned_at,
        scores={name: value for name, value in parts.items() if value is not None},
        raw=raw,
    )


def answer(
    *,
    query: str,
    reply: RecallReply,
    raw: Mapping[str, Any],
    size: int,
    seconds: float,
    backend: str,
    options: Mapping[str, Any],
    clock: str,
) -> HindsightRecall:
    """Wrap the server's reply; every result it sent becomes a hit."""
    pairs = zip(reply.results, raw["results"], strict=True)
    hits = tuple(_hit(rank, one, record) for rank, (one, record) in enumerate(pairs, start=1))
    return HindsightRecall(
        query=query,
        hits=hits,
        outcome=Outcome.OK if hits else Outcome.EMPTY,
        backend=backend,
        options=options,
        seconds=seconds,
        clock=clock,
        size=size,
        reply=reply,
    )


def _notes(hits: tuple[Hit, ...], max_tokens: int) -> list[str]:
    notes = []
    if max_tokens < _FEW_TOKENS:
        notes.append(
            f"max_tokens={max_tokens} counts tokens, not memories; most memories are longer."
        )
    used = sum(count_tokens([hit.text for hit in hits]))
    if len(hits) == 1 and used > max_tokens > 0:
        notes.append(
            f"nothing fitted into {max_tokens} tokens, so the server gave the best one whole "
            f"({used} tokens)."
        )
    return notes
