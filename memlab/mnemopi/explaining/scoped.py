"""The same for a recall over several banks, through the answers of the single ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from ...errors import MemoryNotFound
from ...frames import Column, to_frame
from ...models import Hit
from .explanation import Explanation, Step
from .funnel import FUNNEL_COLUMNS

if TYPE_CHECKING:
    from ..result import MnemopiRecall

__all__ = ["explain_parts", "funnel_parts"]

Parts = Sequence[tuple[str, "MnemopiRecall"]]
# The further a memory came, the more its answer says.
_DEPTH = (
    "not visible", "not matched", "below the threshold", "hidden by its sources", "outranked",
    "cut by the limit", "replaced by MMR", "beaten by facts", "returned",
)  # fmt: skip


def explain_parts(parts: Parts, hits: Sequence[Hit], pool: Sequence[Hit], key: str) -> Explanation:
    """Tell what became of a memory in a recall over several banks.

    ``hits`` are the merged and cut list, ``pool`` the merged one. Of several
    recalls that could have brought the memory, the one it came furthest in answers.
    """
    found: list[Explanation] = []
    for bank, recall in parts:
        try:
            found.append(replace(recall.explain(key), bank=bank))
        except MemoryNotFound:
            continue
    if not found:
        banks = ", ".join(dict.fromkeys(bank for bank, _ in parts))
        said = f"in the banks that answered ({banks})" if banks else "here: no bank answered"
        raise MemoryNotFound(f"No memory {key!r} {said}. The scope's .frame() lists its banks.")
    best = max(found, key=lambda one: _DEPTH.index(one.stage))
    if best.found:
        best = _merged(best, hits, pool)
    return replace(best, parts=tuple(found))


def _merged(own: Explanation, hits: Sequence[Hit], pool: Sequence[Hit]) -> Explanation:
    """Answer for a memory that its own bank returned."""
    rank = next((hit.rank for hit in hits if hit.id == own.id), None)
    if rank is not None:
        said = f"Returned: number {rank} of {len(hits)}, from bank {own.bank}."
        return replace(own, rank=rank, sentence=said)
    place = next((hit.rank for hit in pool if hit.id == own.id), None)
    if place is None:
        twin = next(
            (hit for hit in pool if own.own and hit.text == own.own.fields["content"]), None
        )
        same = f" with {twin.id}" if twin else ""
        said = (
            f"Merged{same}: bank {own.bank} returned it, and another bank the same text with a "
            "better score."
        )
        step = Step("merge", False, about=f"same text{same}")
        return replace(own, stage="merged", rank=None, sentence=said, steps=(*own.steps, step))
    last = hits[-1] if hits else None
    score = own.own.score if own.own else 0.0
    weakest = "" if last is None else f"; the last one taken, {last.id}, has {last.score:.4f}"
    said = (
        f"Outranked: bank {own.bank} returned it, but over all banks it is number {place} by "
        f"score ({score:.4f}), and {len(hits)} were taken{weakest}."
    )
    step = Step("merge", False, f"number {place} of {len(pool)}", f"{len(hits)} taken")
    return replace(own, stage="outranked", rank=None, sentence=said, steps=(*own.steps, step))


def funnel_parts(parts: Parts, hits: Sequence[Hit], pool: Sequence[Hit]) -> pd.DataFrame:
    """Return the funnels of the single recalls one below the other, then the merged list.

    Columns: bank, asked (number of the recall of that bank), and those of a funnel.
    """
    rows: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for bank, recall in parts:
        seen[bank] = seen.get(bank, 0) + 1
        head = {"bank": bank, "asked": seen[bank]}
        rows += [{**head, **row} for row in recall.funnel_rows()]
    for stage, listed in (("merged", pool), ("returned", hits)):
        tiers = [hit.tier for hit in listed]
        counts = {name: tiers.count(name) for name in ("working", "episodic")}
        rows.append(
            {"bank": "all", "stage": stage, **counts, "facts": tiers.count("fact"),
             "total": len(tiers), "about": "over all banks"}
        )  # fmt: skip
    return to_frame(rows, [Column("bank"), Column("asked", "int"), *FUNNEL_COLUMNS])
