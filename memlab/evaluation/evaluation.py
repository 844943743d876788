"""A finished evaluation: cases, answers, and the figures that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from ..errors import InputError
from . import summary
from .answer import Answer
from .cases import Cases
from .labels import Label
from .measures import Measure, parse_measures
from .rows import case_frame, hit_frame, label_frame
from .scoring import case_values
from .show import evaluation_html, evaluation_text
from .summary import FailedRule

__all__ = ["Evaluation"]


@dataclass(frozen=True)
class Evaluation:
    """What a backend answered to every case, and how good that was.

    Look at it with :meth:`means`, :meth:`by`, :meth:`frame`, :meth:`hits`,
    :meth:`relevant`, :meth:`failures` and :meth:`misses`. ``options`` are those
    given to every recall, ``labels`` what is known of the relevant memories.
    """

    cases: Cases
    answers: Mapping[str, Answer] = field(repr=False)
    measures: tuple[Measure, ...]
    backend: str = ""
    label: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[Label, ...] = field(default=(), repr=False)

    @property
    def name(self) -> str:
        """Return the label, or else the backend with the options given."""
        if self.label:
            return self.label
        given = ", ".join(
            f"{name}={value}" for name, value in self.options.items() if name != "now"
        )
        return f"{self.backend} ({given})" if given else self.backend

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, float | None]]:
        """Return the measures of each case: case id to measure to value, None where it has none."""
        return case_values(list(self.cases), self.answers, self.measures)

    def frame(self) -> pd.DataFrame:
        """Return one row per case: id, kind, category, outcome, hits, relevant, found, first, measures.

        ``relevant`` counts the relevant memories, ``found`` those recalled;
        ``first`` is the rank of the first of them. A measure is missing where
        it says nothing about the case: see :mod:`memlab.evaluation.scoring`.
        """
        return case_frame(self)

    def hits(self) -> pd.DataFrame:
        """Return one row per hit: case, rank, key, grade (missing: not judged), score, tier, text."""
        return hit_frame(self)

    def relevant(self) -> pd.DataFrame:
        """Return one row per relevant memory of a case: where it lies in the bank, and its rank.

        Columns: case, category, key, grade, rank (missing: not recalled), found,
        tier, state, chars, length (quartile of chars), script.
        """
        return label_frame(self)

    def means(self, failed: FailedRule | None = None) -> pd.DataFrame:
        """Return the mean of each measure: measure, mean, cases, failed.

        ``cases`` counts what the mean is over. Where cases failed there is no
        mean over all: choose ``failed="skip"`` (over the answered ones) or
        ``failed="zero"`` (a failure finds nothing); without it, InputError.
        """
        return summary.means(self, failed)

    def by(self, field: str = "category", failed: FailedRule | None = None) -> pd.DataFrame:
        """Return the means of each group: cases, failed, and one column per measure.

        ``field`` is a field of the cases (category, kind, bank, level) or of
        the relevant memories (tier, state, length, script). For the latter the
        rows are memories, and the figure is the share that was found.
        """
        return summary.by_group(self, field, failed)

    def outcomes(self) -> pd.Series[int]:
        """Return how many cases ended how."""
        return self.frame()["outcome"].value_counts().rename("cases")

    def latency(self) -> pd.Series[float]:
        """Return percentiles of the backend's time per case, in seconds: p50, p90, p95, p99, max."""
        return summary.latency(self)

    def failures(self) -> pd.DataFrame:
        """Return the cases without an answer: id, category, query, outcome, error, seconds."""
        table = self.frame()
        columns = ["id", "category", "query", "outcome", "error", "seconds"]
        return table.loc[table["failed"], columns].reset_index(drop=True)

    def misses(self, k: int | None = None) -> pd.DataFrame:
        """Return the labelled cases without a relevant memory among the first ``k`` hits.

        Columns: id, category, query, relevant (the keys), recalled (the first
        keys), state (of the best relevant memory), notes.
        """
        return summary.misses(self, k)

    def rescore(
        self,
        measures: Measure | str | Iterable[Measure | str] | None = None,
        *,
        cases: Cases | None = None,
    ) -> Evaluation:
        """Compute other measures, or judge by other labels, without asking the backend again.

        ``cases`` must have the ids of the ones that were asked.
        """
        kept = self.measures if measures is None else parse_measures(measures)
        if cases is None:
            return replace(self, measures=kept)
        strange = [case.id for case in cases if case.id not in self.answers]
        asked = {case.id: case.query for case in self.cases}
        changed = [case.id for case in cases if asked.get(case.id, case.query) != case.query]
        if strange or changed:
            raise InputError(
                f"{len(strange)} cases were never asked and {len(changed)} ask something else now, "
                f"such as {(strange + changed)[0]!r}. Evaluate these anew."
            )
        answers = {case.id: self.answers[case.id] for case in cases}
        return replace(self, measures=kept, cases=cases, answers=answers, labels=())

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.cases)

    def __repr__(self) -> str:
        """Show the means, and what failed."""
        return evaluation_text(self)

    def _repr_html_(self) -> str:
        """Show the means as a table; every text is escaped."""
        return evaluation_html(self)
