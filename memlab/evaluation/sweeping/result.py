"""A finished sweep: one evaluation per setting, and what can be read off them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from ...errors import InputError
from ...frames import Column, Kind, to_frame
from ..evaluation import Evaluation
from ..measures import Measure, parse_measures
from ..summary import failed_cases, mean_values
from ..targets import Subject
from .choose import Choice, best_of, choose_setting
from .grid import Setting, varied
from .monotony import losses
from .pareto import pareto_frame

__all__ = ["Sweep"]


@dataclass(frozen=True)
class Sweep:
    """The settings of a sweep, each with its evaluation.

    ``sweep[0]`` is the first evaluation; :meth:`frame` has one row per setting.
    ``asked`` counts the recalls that were not in the cache.
    """

    settings: Sequence[Setting]
    runs: tuple[Evaluation, ...] = field(repr=False)
    asked: int = field(default=0, compare=False)
    subjects: Mapping[str, Subject] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """Return the names of the options that are not the same everywhere."""
        return varied(self.settings)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Return the measures."""
        return self.runs[0].measures

    def frame(self) -> pd.DataFrame:
        """Return one row per setting: the varied options, the means of the measures, failed.

        Means are over the cases that were answered; ``failed`` counts the others.
        """
        names = [str(measure) for measure in self.measures]
        rows = []
        for setting, run in zip(self.settings, self.runs, strict=True):
            row = {name: setting.get(name) for name in self.varied}
            row |= {name: mean for name, mean, _ in mean_values(run, "skip")}
            rows.append(row | {"failed": len(failed_cases(run))})
        kinds = [Column(name, _kind([row[name] for row in rows])) for name in self.varied]
        columns = [*kinds, *(Column(name, "float") for name in names), Column("failed", "int")]
        return to_frame(rows, columns)

    def cases(self, measure: Measure | str | None = None) -> pd.DataFrame:
        """Return the values of one measure: a row per case, a column per setting by its number."""
        name = self.measure_name(measure)
        found = {number: run.frame().set_index("id")[name] for number, run in enumerate(self.runs)}
        return pd.DataFrame(found)

    def best(self, measure: Measure | str | None = None) -> Evaluation:
        """Return the evaluation with the best mean; of equals, the first.

        Of measures such as Tokens and Injected the lowest is the best. The best
        of many means is partly luck: :meth:`choose` says how much.
        """
        name = self.measure_name(measure)
        table = self.frame()
        if table["failed"].any():
            raise InputError(
                f"{(table['failed'] > 0).sum()} settings have failed cases, so their means are not "
                "over the same ones. See .frame(); run the sweep again: it asks what failed."
            )
        if table[name].isna().any():
            raise InputError(f"No case has a value of {name}, so no setting is the best.")
        return self.runs[best_of(table[name], name)]

    def choose(
        self, measure: Measure | str | None = None, folds: int = 5, *, seed: int = 0
    ) -> Choice:
        """Pick a setting by cross-validation over the cases.

        Each fold is judged with the setting that is best on the others, so the
        gain reported is one on cases that did not choose.
        """
        return choose_setting(self, self.measure_name(measure), folds, seed)

    def pareto(
        self, measure: Measure | str | None = None, costs: Iterable[str] = ("Tokens",)
    ) -> pd.DataFrame:
        """Return the frame with costs and the column ``best``: no other setting is better and cheaper.

        Costs are measures of which less is better, such as Tokens and Seconds.
        """
        return pareto_frame(self, self.measure_name(measure), [str(cost) for cost in costs])

    def losses(self, option: str, *, why: bool = True) -> pd.DataFrame:
        """Return where a larger value of an option loses a relevant memory that a smaller one found.

        A larger limit should lose nothing. Columns: case, key, the other varied
        options, smaller, rank, larger, outcome, cut (hits that did not fit), why.
        With ``why``, the bank is asked again to say what became of the memory.
        """
        if option not in self.varied:
            raise InputError(f"{option!r} was not varied. Varied: {', '.join(self.varied)}.")
        return losses(self, option, why=why)

    def rescore(self, measures: Measure | str | Iterable[Measure | str]) -> Sweep:
        """Compute other measures from the same answers."""
        runs = tuple(run.rescore(measures) for run in self.runs)
        return Sweep(self.settings, runs, self.asked, self.subjects)

    def measure_name(self, measure: Measure | str | None = None) -> str:
        """Return the name of one of the sweep's measures; by default the first."""
        if measure is None:
            return str(self.measures[0])
        name = str(parse_measures(measure)[0])
        if name not in map(str, self.measures):
            known = ", ".join(map(str, self.measures))
            raise InputError(f"The sweep has no {name}. It has {known}; .rescore() adds others.")
        return name

    def __len__(self) -> int:
        """Return the number of settings."""
        return len(self.runs)

    def __getitem__(self, index: int) -> Evaluation:
        """Return the evaluation of a setting."""
        return self.runs[index]

    def __repr__(self) -> str:
        """Show the size, and the best and worst means."""
        names = (
            ", ".join(f"{name} ({self._count(name)})" for name in self.varied) or "nothing varied"
        )
        head = (
            f"{len(self)} settings x {len(self.runs[0])} cases: {names}; {self.asked} recalls asked"
        )
        return f"{head}\n{self.frame().to_string(max_rows=12)}"

    def _repr_html_(self) -> str:
        """Show the frame."""
        return str(self.frame().to_html(max_rows=12, escape=True))

    def _count(self, name: str) -> int:
        return len({repr(setting.get(name)) for setting in self.settings})


def _kind(values: list[Any]) -> Kind:
    if all(isinstance(value, bool) for value in values):
        return "bool"
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return "int"
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return "float"
    return "text" if all(isinstance(value, str) for value in values) else "object"
