"""Hit by hit: what came, what went, and which score part turned a pair around."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from ...frames import Column, to_frame
from ...models import Hit
from ..answer import Answer
from ..case import Case
from ..evaluation import Evaluation
from .causes import Pair, cause

__all__ = ["changed_hits", "flipped_pairs"]

HIT_COLUMNS = (
    Column("run"),
    Column("case"),
    Column("key"),
    Column("grade", "int"),
    Column("before", "int"),
    Column("after", "int"),
    Column("text"),
)
FLIP_COLUMNS = (
    Column("run"),
    Column("case"),
    Column("up"),
    Column("down"),
    Column("grade_up", "int"),
    Column("grade_down", "int"),
    Column("part"),
    Column("how"),
    Column("change", "float"),
)


def _both(
    before: Evaluation, after: Iterable[Evaluation]
) -> Iterator[tuple[Evaluation, Case, Answer, Answer]]:
    for run in after:
        for case in before.cases:
            pair = before.answers.get(case.id), run.answers.get(case.id)
            if pair[0] and pair[1] and pair[0].outcome.answered and pair[1].outcome.answered:
                yield run, case, pair[0], pair[1]


def _hits(answer: Answer) -> dict[str, Hit]:
    """Return the first hit of each key."""
    found: dict[str, Hit] = {}
    for key, hit in zip(answer.keys, answer.hits, strict=True):
        found.setdefault(key, hit)
    return found


def changed_hits(
    before: Evaluation, after: Iterable[Evaluation], *, relevant: bool
) -> pd.DataFrame:
    """Return the hits whose rank changed."""
    rows: list[dict[str, Any]] = []
    for run, case, one, other in _both(before, after):
        old, new = _hits(one), _hits(other)
        grades = case.relevant or {}
        for key in dict.fromkeys([*old, *new]):
            ranks = [hits[key].rank if key in hits else None for hits in (old, new)]
            if ranks[0] == ranks[1] or (relevant and not grades.get(key)):
                continue
            row: dict[str, Any] = {"run": run.name, "case": case.id, "key": key}
            row |= {"grade": grades.get(key), "before": ranks[0], "after": ranks[1]}
            rows.append(row | {"text": (new.get(key) or old[key]).text})
    return to_frame(rows, HIT_COLUMNS)


def flipped_pairs(before: Evaluation, after: Sequence[Evaluation]) -> pd.DataFrame:
    """Return the pairs whose order changed, and the part of the score that did it."""
    rows: list[dict[str, Any]] = []
    for run, case, one, other in _both(before, after):
        weights = before.options, run.options
        old, new = _hits(one), _hits(other)
        grades = case.relevant or {}
        shared = [key for key in old if key in new]
        for first, second in combinations(shared, 2):
            if new[first].rank < new[second].rank:
                continue
            rose = Pair(old[second], old[first]), Pair(new[second], new[first])
            row: dict[str, Any] = {"run": run.name, "case": case.id, "up": second, "down": first}
            row |= {"grade_up": grades.get(second), "grade_down": grades.get(first)}
            rows.append(row | cause(*rose, *weights)._asdict())
    return to_frame(rows, FLIP_COLUMNS)
