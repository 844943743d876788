"""Labelling by hand: the hits of several systems, pooled, each judged once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import pandas as pd

from ..errors import InputError
from ..frames import Column, to_frame
from .case import HIGHEST
from .cases import Cases
from .evaluation import Evaluation
from .measures import Judged

__all__ = ["LabelQueue", "Pooled", "label_queue"]

POOL_COLUMNS = (
    Column("case"),
    Column("query"),
    Column("key"),
    Column("systems", "int"),
    Column("best_rank", "int"),
    Column("text"),
)


class Pooled(NamedTuple):
    """A hit that waits for a judgement: how many systems recalled it, and how high at best."""

    case: str
    query: str
    key: str
    text: str
    systems: int
    best_rank: int


@dataclass(frozen=True)
class LabelQueue:
    """Hits of several runs that nobody has judged, and the judgements made so far.

    ``queue[0]`` is the next one; :meth:`grade` gives the queue with one
    judgement more. :meth:`cases` are the cases with all labels.
    """

    runs: tuple[Evaluation, ...] = field(repr=False)
    depth: int
    judgements: Mapping[tuple[str, str], int] = field(default_factory=dict, repr=False)

    @cached_property
    def waiting(self) -> tuple[Pooled, ...]:
        """Return what is to be judged: by case, and in a case what most systems found first."""
        return tuple(_pooled(self))

    def grade(self, case: str, key: str, grade: int) -> LabelQueue:
        """Return the queue with one more judgement; 0 is not relevant.

        Raises InputError for a case or key that is not in the pool.
        """
        if type(grade) is not int or not 0 <= grade <= HIGHEST:
            raise InputError(f"grade={grade!r}; a grade is 0 (not relevant), 1, 2, … {HIGHEST}.")
        if (case, key) not in self.judgements and not any(
            (one.case, one.key) == (case, key) for one in self.waiting
        ):
            raise InputError(f"{key!r} is not waiting to be judged for case {case!r}.")
        return replace(self, judgements={**self.judgements, (case, key): grade})

    def cases(self) -> Cases:
        """Return the cases with the judgements added to their labels.

        A case that was null or unlabelled becomes labelled with its first
        relevant memory; an unlabelled one all of whose pool was judged and
        nothing relevant becomes null.
        """
        open_cases = {one.case for one in self.waiting}
        found = []
        for case in self.runs[0].cases:
            made = {key: grade for (name, key), grade in self.judgements.items() if name == case.id}
            labels = (
                None if case.relevant is None and not made else {**(case.relevant or {}), **made}
            )
            if case.relevant is None and labels and not any(labels.values()):
                labels = None if case.id in open_cases else labels
            found.append(replace(case, relevant=labels))
        return Cases(found)

    def coverage(self) -> pd.DataFrame:
        """Return for each run the share of its first hits that is judged: run, judged.

        An unjudged hit counts as not relevant; so a run with a low share is
        judged too harshly.
        """
        cases = self.cases()
        measure = Judged @ self.depth
        rows = [
            {"run": run.name, "judged": run.rescore(measure, cases=cases).means("skip")["mean"][0]}
            for run in self.runs
        ]
        return to_frame(rows, [Column("run"), Column("judged", "float")])

    def frame(self) -> pd.DataFrame:
        """Return what is to be judged: case, query, key, systems, best_rank, text."""
        return to_frame((one._asdict() for one in self.waiting), POOL_COLUMNS)

    def __len__(self) -> int:
        """Return how many hits wait."""
        return len(self.waiting)

    def __getitem__(self, index: int) -> Pooled:
        """Return a waiting hit."""
        return self.waiting[index]

    def __repr__(self) -> str:
        """Show how many wait and how many are judged."""
        return (
            f"{len(self)} hits of {len(self.runs)} runs wait to be judged, "
            f"{len(self.judgements)} are; .frame() shows them"
        )


def _urgency(one: Pooled) -> tuple[int, int, str]:
    return (-one.systems, one.best_rank, one.key)


def _pooled(queue: LabelQueue) -> Iterator[Pooled]:
    for case in queue.runs[0].cases:
        found: dict[str, Pooled] = {}
        for run in queue.runs:
            answer = run.answers[case.id]
            seen: set[str] = set()
            for hit, key in zip(answer.hits, answer.keys, strict=True):
                if hit.rank > queue.depth or key in seen:
                    continue
                seen.add(key)
                old = found.get(key, Pooled(case.id, case.query, key, hit.text, 0, hit.rank))
                found[key] = old._replace(
                    systems=old.systems + 1, best_rank=min(old.best_rank, hit.rank)
                )
        judged = {key for name, key in queue.judgements if name == case.id} | set(
            case.relevant or {}
        )
        yield from sorted((found[key] for key in set(found) - judged), key=_urgency)


def label_queue(runs: Iterable[Evaluation], *, depth: int = 8) -> LabelQueue:
    """Pool the first ``depth`` hits of several runs over the same cases, to be judged by hand.

    The labels that the cases have are kept. Raises InputError where the runs
    are not over the same cases.
    """
    listed = tuple(runs)
    if not listed:
        raise InputError("There are no runs to pool. Give one evaluation or more.")
    if depth < 1:
        raise InputError(f"depth={depth} pools nothing. Give 1 or more.")
    ids = set(listed[0].cases.ids)
    for run in listed[1:]:
        if set(run.cases.ids) != ids:
            raise InputError(
                f"{listed[0].name} and {run.name} are not over the same cases. Evaluate them on the "
                "same ones."
            )
    return LabelQueue(listed, depth)
