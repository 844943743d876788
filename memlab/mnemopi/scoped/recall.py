"""The answer of a scope: the merged list, and what each bank answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from ...frames import Column, to_frame
from ...models import Hit, Scope
from ...models.recall import HIT_COLUMNS
from ..result import MnemopiRecall

__all__ = ["ScopedHit", "ScopedRecall", "Way", "scoped_hit"]

Way = Literal["query", "fallback"]


@dataclass(frozen=True, slots=True)
class ScopedHit(Hit):
    """A hit that says which bank it is from, and which of the two queries brought it.

    ``way`` is "query" or "fallback"; for a memory that both brought, it is
    that of the better answer.
    """

    bank: str = ""
    way: Way = "query"

    def record(self) -> dict[str, Any]:
        """Return one row of a table of hits."""
        return {**Hit.record(self), "bank": self.bank, "way": self.way}


def scoped_hit(hit: Hit, bank: str, way: Way) -> ScopedHit:
    """Say where a hit comes from."""
    return ScopedHit(
        hit.rank, hit.id, hit.text, hit.score, hit.tier, hit.source, hit.timestamp,
        hit.scores, hit.raw, bank, way,
    )  # fmt: skip


@dataclass(frozen=True, repr=False)
class ScopedRecall(MnemopiRecall):
    """What the banks of a scope answered together, as the agent would have been shown it.

    ``parts`` are the answers of the single recalls in the order they were
    asked, as (bank, recall); the shared bank is there twice where a
    ``fallback`` query was asked. ``pool`` is the merged list before it was
    cut to the limit. ``failures`` maps each bank that did not answer to its
    error, and ``notes`` says in sentences what a reader should know.
    """

    scope: Scope | None = None
    fallback: str | None = None
    parts: tuple[tuple[str, MnemopiRecall], ...] = ()
    pool: tuple[ScopedHit, ...] = field(default=(), compare=False)
    failures: Mapping[str, Exception] = field(default_factory=dict, compare=False)
    notes: tuple[str, ...] = ()

    def context(self, style: Literal["bullet", "json"] = "bullet") -> str:
        """Return the hits grouped for a prompt, as bullets or as JSON; empty where there are none."""
        return super().context(style) if self.hits else ""

    def frame(self) -> pd.DataFrame:
        """Return the hits as a frame, with the bank and the way of each after its rank.

        Columns: rank, bank, way, id, score, tier, source, timestamp, text, score parts.
        """
        plain = super().frame()
        names = [column.name for column in HIT_COLUMNS]
        rows = to_frame(
            (hit.record() for hit in self.hits), [*HIT_COLUMNS, Column("bank"), Column("way")]
        )
        head = rows[[names[0], "bank", "way", *names[1:]]]
        return pd.concat([head, plain.drop(columns=names)], axis=1)

    def _remarks(self) -> list[str]:
        failed = (f"bank {bank} failed: {error}" for bank, error in self.failures.items())
        return [*failed, *self.notes]
