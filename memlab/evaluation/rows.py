"""The frames of an evaluation: one row per case, per hit, per relevant memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd

from ..frames import Column, to_frame
from ..text.javascript import length
from .answer import Answer
from .case import Case

if TYPE_CHECKING:
    from .evaluation import Evaluation

__all__ = ["case_frame", "hit_frame", "label_frame"]

CASE_COLUMNS = (
    Column("id"),
    Column("kind"),
    Column("category"),
    Column("query"),
    Column("outcome"),
    Column("failed", "bool"),
    Column("hits", "int"),
    Column("relevant", "int"),
    Column("found", "int"),
    Column("first", "int"),
    Column("tokens", "int"),
    Column("query_chars", "int"),
    Column("seconds", "float"),
    Column("bank"),
    Column("level"),
    Column("error"),
)
HIT_COLUMNS = (
    Column("case"),
    Column("rank", "int"),
    Column("key"),
    Column("grade", "int"),
    Column("id"),
    Column("score", "float"),
    Column("tier"),
    Column("tokens", "int"),
    Column("text"),
)
LABEL_COLUMNS = (
    Column("case"),
    Column("category"),
    Column("key"),
    Column("grade", "int"),
    Column("rank", "int"),
    Column("found", "bool"),
    Column("tier"),
    Column("state"),
    Column("chars", "int"),
    Column("length"),
    Column("script"),
    Column("stage"),
    Column("why"),
)
QUARTILES = ("shortest", "short", "long", "longest")


def case_frame(run: Evaluation) -> pd.DataFrame:
    """Return one row per case."""
    names = [str(measure) for measure in run.measures]
    columns = [*CASE_COLUMNS, *(Column(name, "float") for name in names)]
    rows = (
        _case_row(case, run.answers.get(case.id)) | dict(run.values[case.id]) for case in run.cases
    )
    return to_frame(rows, columns)


def _case_row(case: Case, answer: Answer | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        name: getattr(case, name) for name in ("id", "kind", "category", "query", "bank", "level")
    }
    row["relevant"] = len(case.wanted)
    if answer is None:
        return row | {"outcome": "not asked", "failed": True, "error": "not asked"}
    ranks = first_ranks(answer.keys)
    found = [ranks[key] for key in case.wanted if key in ranks]
    return row | {
        "query": answer.query or case.query,
        "outcome": answer.outcome.value,
        "failed": not answer.outcome.answered,
        "hits": len(answer.hits),
        "found": len(found),
        "first": min(found, default=None),
        "tokens": answer.tokens,
        "query_chars": length(answer.query),
        "seconds": answer.seconds,
        "error": answer.error,
    }


def first_ranks(keys: tuple[str, ...]) -> dict[str, int]:
    """Return the first rank of each key, counted from 1."""
    ranks: dict[str, int] = {}
    for rank, key in enumerate(keys, start=1):
        ranks.setdefault(key, rank)
    return ranks


def hit_frame(run: Evaluation) -> pd.DataFrame:
    """Return one row per hit."""
    return to_frame(_hit_rows(run), HIT_COLUMNS)


def _hit_rows(run: Evaluation) -> Iterator[dict[str, Any]]:
    for case in run.cases:
        answer = run.answers.get(case.id)
        if answer is None:
            continue
        for hit, key, tokens in zip(answer.hits, answer.keys, answer.hit_tokens, strict=True):
            yield {
                "case": case.id,
                "key": key,
                "grade": (case.relevant or {}).get(key),
                "tokens": tokens,
                **{name: getattr(hit, name) for name in ("rank", "id", "score", "tier", "text")},
            }


def label_frame(run: Evaluation) -> pd.DataFrame:
    """Return one row per relevant memory of a case that was answered."""
    known = {(label.case, label.key): label.record() for label in run.labels}
    rows = []
    for case in run.cases:
        answer = run.answers.get(case.id)
        if answer is None or not answer.outcome.answered:
            continue
        ranks = first_ranks(answer.keys)
        for key in case.wanted:
            row = known.get((case.id, key), {"case": case.id, "key": key})
            row |= {"category": case.category, "grade": (case.relevant or {})[key]}
            stage, why = answer.lost.get(key, ("returned" if key in ranks else "", ""))
            rows.append(
                {**row, "rank": ranks.get(key), "found": key in ranks}
                | {"stage": stage, "why": why}
            )
    table = to_frame(rows, LABEL_COLUMNS)
    table["length"] = _quartiles(table["chars"])
    return table


def _quartiles(chars: pd.Series[int]) -> pd.Series[str]:
    """Name the quarter of the lengths that each lies in; ties lie together."""
    shares: list[float] = chars.astype("float64").rank(pct=True, method="average").tolist()
    names = ["" if math.isnan(x) else QUARTILES[min(int(x * 4 - 1e-9), 3)] for x in shares]
    return pd.Series(names, index=chars.index, dtype="str")
