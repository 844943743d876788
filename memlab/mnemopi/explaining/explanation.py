"""The answer to "why not this memory?": one sentence, the stages it passed, who was better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

import pandas as pd

from ...frames import Column, to_frame
from ...text.terminal import printable
from ..records import Record

__all__ = ["PART_COLUMNS", "Explanation", "Stage", "Step", "parts_of"]

Stage = Literal[
    "returned",
    "not visible",
    "not matched",
    "below the threshold",
    "hidden by its sources",
    "replaced by MMR",
    "outranked",
    "cut by the limit",
    "beaten by facts",
    "merged",
]

PART_COLUMNS = (
    Column("id"),
    Column("role"),
    Column("tier"),
    *(
        Column(name, "float")
        for name in (
            "score", "keyword", "full_text", "vector", "importance", "recency", "temporal",
            "base", "factor",
        )
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of the recall as the memory saw it: passed or not, and the values that decided."""

    stage: str
    passed: bool
    value: str = ""
    needed: str = ""
    about: str = ""


@dataclass(frozen=True)
class Explanation:
    """What became of one memory in one recall.

    ``stage`` is where it was lost, or "returned"; ``sentence`` says why, with
    the values; ``details`` holds them by name. ``steps`` are the stages it went
    through. ``rivals`` are the results that stand in its way, each with its
    role; :meth:`beside` puts the parts of their scores side by side. For a
    recall over several banks, ``bank`` is the bank it is in and ``parts`` are
    the explanations of the single recalls.
    """

    id: str
    tier: str
    stage: Stage
    sentence: str
    rank: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    own: Record | None = field(default=None, repr=False)
    rivals: tuple[tuple[str, Record], ...] = field(default=(), repr=False)
    bank: str | None = None
    parts: tuple[Explanation, ...] = field(default=(), repr=False)

    @property
    def found(self) -> bool:
        """Tell whether the memory is among the hits."""
        return self.stage == "returned"

    def frame(self) -> pd.DataFrame:
        """Return the stages as a frame: stage, passed, value, needed, about."""
        columns = [Column("stage"), Column("passed", "bool")]
        columns += [Column("value"), Column("needed"), Column("about")]
        return to_frame(
            ({name: getattr(step, name) for name, *_ in columns} for step in self.steps), columns
        )

    def beside(self) -> pd.DataFrame:
        """Return the parts of its score beside those of its rivals.

        Columns: id, role, tier, score, keyword, full_text, vector, importance,
        recency, temporal, base (before time and trust), factor (trust and currency).
        """
        own = [] if self.own is None else [parts_of(self.own, "this memory")]
        return to_frame(
            [*own, *(parts_of(record, role) for role, record in self.rivals)], PART_COLUMNS
        )

    def __str__(self) -> str:
        """Say it in one sentence, safe for a terminal."""
        return printable(self.sentence)

    def __repr__(self) -> str:
        """Show the sentence, then the stages, then the rivals."""
        lines = [f"{self.id} ({self.tier}): {self.stage}", self.sentence]
        for step in self.steps:
            values = f"  {step.value}" + (f" (needed {step.needed})" if step.needed else "")
            mark = "+" if step.passed else "-"
            lines.append(f"  {mark} {step.stage:<10}{values}  {step.about}".rstrip())
        for role, record in self.rivals:
            lines.append(f"  {role}: {record.fields['id']} ({record.score:.4f})")
        return printable("\n".join(lines))

    def _repr_html_(self) -> str:
        """Show the same as a table; every text of the bank is escaped."""
        cells = [
            ("✓" if step.passed else "✗", step.stage, step.value, step.needed, step.about)
            for step in self.steps
        ]
        head = "".join(f"<th>{name}</th>" for name in ("", "stage", "value", "needed", "about"))
        rows = "".join(
            "<tr>"
            + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in row)
            + "</tr>"
            for row in cells
        )
        title = f"<b>{escape(self.id)}</b> ({escape(self.tier)}): {escape(self.stage)}"
        beside = f"<table>{_html_parts(self)}</table>" if self.rivals else ""
        return (
            f"<p>{title}<br>{escape(self.sentence)}</p><table><tr>{head}</tr>{rows}</table>{beside}"
        )


def _html_parts(explanation: Explanation) -> str:
    names = [column.name for column in PART_COLUMNS]
    own = [] if explanation.own is None else [parts_of(explanation.own, "this memory")]
    records = [*own, *(parts_of(record, role) for role, record in explanation.rivals)]

    def shown(value: object) -> str:
        if isinstance(value, float):
            return f"{value:.4f}"
        return "" if value is None else escape(str(value))

    head = "".join(f"<th>{name}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{shown(record.get(name))}</td>" for name in names) + "</tr>"
        for record in records
    )
    return f"<tr>{head}</tr>{rows}"


def parts_of(record: Record, role: str) -> dict[str, Any]:
    """Return one record as a row of score parts."""
    fields, scored = record.fields, record.scored
    row = {
        "id": str(fields["id"]),
        "role": role,
        "tier": str(fields["tier"]),
        "score": record.score,
        "keyword": fields.get("keyword_score"),
        "full_text": fields.get("fts_score"),
        "importance": fields.get("importance_score"),
    }
    if scored is None:
        return row
    return {
        **row,
        "vector": fields.get("dense_score"),
        "recency": fields.get("recency_score"),
        "temporal": fields.get("temporal_score"),
        "base": scored.base,
        "factor": scored.factor,
    }
