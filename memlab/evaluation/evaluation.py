"""A finished evaluation: cases, answers, and the figures that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ..errors import InputError
from ..files import expanded
from . import summary
from .answer import Answer, ranked_answer
from .cases import Cases
from .context import Context, cases_digest, labels_digest, question
from .labels import Label
from .measures import Measure, parse_measures
from .qrels import read_run as read_trec_run
from .qrels import write_run as write_trec_run
from .rows import case_frame, first_ranks, hit_frame, label_frame
from .runfile import Stored, read_run, write_run
from .scoring import case_values
from .show import evaluation_html, evaluation_text
from .summary import FailedRule

if TYPE_CHECKING:
    from .gating import GateReport

__all__ = ["Evaluation"]


@dataclass(frozen=True)
class Evaluation:
    """What a backend answered to every case, and how good that was.

    Look at it with :meth:`means`, :meth:`by`, :meth:`frame`, :meth:`hits`,
    :meth:`relevant`, :meth:`failures` and :meth:`misses`. ``options`` are those
    given to every recall, ``labels`` what is known of the relevant memories,
    ``context`` the circumstances: versions, hashes of the data, variables.
    """

    cases: Cases
    answers: Mapping[str, Answer] = field(repr=False)
    measures: tuple[Measure, ...]
    backend: str = ""
    label: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[Label, ...] = field(default=(), repr=False)
    context: Context | None = field(default=None, repr=False)

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
        ``first`` is the rank of the first of them; ``query_chars`` counts UTF-16
        units of what was asked. A measure is missing where
        it says nothing about the case: see :mod:`memlab.evaluation.scoring`.
        """
        return case_frame(self)

    def hits(self) -> pd.DataFrame:
        """Return one row per hit: case, rank, key, grade (missing: not judged), score, tier, text."""
        return hit_frame(self)

    def relevant(self) -> pd.DataFrame:
        """Return one row per relevant memory of a case: where it lies in the bank, and its rank.

        Columns: case, category, key, grade, rank (missing: not recalled), found,
        tier, state, chars, length (quartile of chars), script; and, where it was
        asked for with ``why=True``, stage and why: where a missing one was lost.
        """
        return label_frame(self)

    def means(self, failed: FailedRule | None = None) -> pd.DataFrame:
        """Return the mean of each measure: measure, mean, cases, failed.

        ``cases`` counts what the mean is over. Where cases failed there is no
        mean over all: choose ``failed="skip"`` (over the answered ones) or
        ``failed="zero"`` (a failure finds nothing); without it, InputError.
        """
        return summary.means(self, failed)

    def intervals(self, level: float = 0.95, *, seed: int = 0) -> pd.DataFrame:
        """Return the means over the answered cases with bootstrap intervals.

        Columns: measure, mean, low, high, cases, failed. ``level`` is the share
        of resampled means that lie between low and high.
        """
        return summary.intervals(self, level, seed)

    def by(self, field: str = "category", failed: FailedRule | None = None) -> pd.DataFrame:
        """Return the means of each group: cases, failed, and one column per measure.

        ``field`` is a field of the cases (category, kind, bank, level) or of
        the relevant memories (tier, state, length, script, grade, stage). For the latter the
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
        asked = {case.id: question(case) for case in self.cases}
        changed = [case.id for case in cases if asked.get(case.id) not in (None, question(case))]
        if strange or changed:
            raise InputError(
                f"{len(strange)} cases were never asked and {len(changed)} ask something else now, "
                f"such as {(strange + changed)[0]!r}. Evaluate these anew."
            )
        answers = {case.id: self.answers[case.id] for case in cases}
        around = self.context
        if around is not None:
            around = replace(around, cases=cases_digest(cases), labels=labels_digest(cases))
        return replace(self, measures=kept, cases=cases, answers=answers, labels=(), context=around)

    def gate(self, baseline: str | Path, **tolerances: Any) -> GateReport:
        """Hold the run against a baseline file; see :func:`memlab.evaluation.gating.gate`.

        Raises GateFailed, with a short diff, where it is worse than allowed.
        ``tolerances`` are absolute, relative, significance, by_category and update.
        """
        from .gating import gate  # it stands above evaluations

        return gate(self, baseline, **tolerances)

    def save(self, path: str | Path) -> Path:
        """Write the run, with cases, answers and circumstances, to a file; return the path."""
        path = expanded(path)
        if self.context is None:
            raise InputError("This evaluation was not made by evaluate(), so it has no context.")
        names = [str(measure) for measure in self.measures]
        stored = Stored(self.backend, self.label, names, self.context)
        stored.cases, stored.labels = list(self.cases), list(self.labels)
        stored.answers = dict(self.answers)
        write_run(path, stored)
        return path

    @classmethod
    def load(cls, path: str | Path) -> Evaluation:
        """Read a run that was saved; raise FormatError where the file is none."""
        stored = read_run(expanded(path))
        return cls(
            Cases(stored.cases),
            stored.answers,
            parse_measures(stored.measures),
            stored.backend,
            stored.label,
            stored.context.options,
            tuple(stored.labels),
            stored.context,
        )

    @classmethod
    def from_run(
        cls,
        cases: Cases,
        run: str | Path | Mapping[str, Sequence[str]],
        measures: Measure | str | Iterable[Measure | str] | None = None,
        *,
        label: str = "run",
    ) -> Evaluation:
        """Judge rankings that were made elsewhere: a TREC run file, or keys by case id.

        A case that the run does not have was answered with nothing.
        """
        ranked = read_trec_run(run) if isinstance(run, str | Path) else run
        answers = {case.id: ranked_answer(case, ranked.get(case.id, ())) for case in cases}
        return cls(cases, answers, parse_measures(measures), "run", label)

    def run(self) -> dict[str, dict[str, float]]:
        """Return the rankings as ir-measures, pytrec_eval and ``ranx.Run`` take them.

        Case id to key to score, minus the rank, so that no tool breaks ties by
        name. Only cases that were answered.
        """
        return {
            name: {key: -float(rank) for key, rank in first_ranks(answer.keys).items()}
            for name, answer in self.answers.items()
            if answer.outcome.answered
        }

    def to_trec(self, path: str | Path) -> Path:
        """Write the rankings as a TREC run; return the path. Repeated keys count once."""
        path = expanded(path)
        write_trec_run(path, {name: list(keys) for name, keys in self.run().items()}, self.name)
        return path

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.cases)

    def __repr__(self) -> str:
        """Show the means, and what failed."""
        return evaluation_text(self)

    def _repr_html_(self) -> str:
        """Show the means as a table; every text is escaped."""
        return evaluation_html(self)
