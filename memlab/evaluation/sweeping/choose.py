"""Choosing a setting so that the reported gain is not the luck of a grid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ...errors import InputError
from ...frames import Column, to_frame
from .grid import Setting
from .pareto import DIGITS, worth

if TYPE_CHECKING:
    from .result import Sweep

__all__ = ["Choice", "best_of", "choose_setting"]


@dataclass(frozen=True)
class Choice:
    """A setting chosen by cross-validation.

    ``setting`` is the best on all cases. ``mean`` is its mean on all of them,
    which is flattered by having been chosen; ``held_out`` is the mean over
    cases that were each judged with a setting chosen without them, and
    ``first`` that of the sweep's first setting, to compare with. ``folds`` says
    what each fold chose and how it did.
    """

    measure: str
    setting: Setting
    number: int
    mean: float
    held_out: float
    first: float
    folds: pd.DataFrame = field(repr=False, compare=False)

    @property
    def gain(self) -> float:
        """Return what the choice is worth on cases that did not choose, against the first setting.

        Of a measure such as Tokens, less is worth more.
        """
        return (self.held_out - self.first) * worth(self.measure)

    @property
    def luck(self) -> float:
        """Return by how much the mean on all cases flatters."""
        return (self.mean - self.held_out) * worth(self.measure)

    def __repr__(self) -> str:
        """Show the setting and what it is worth."""
        said = ", ".join(f"{name}={value}" for name, value in self.setting.items())
        return (
            f"{said or 'nothing varied'}\n  {self.measure} on held-out cases {self.held_out:.3f}, first setting "
            f"{self.first:.3f}: gain {_signed(self.gain)}\n  on the cases that chose it "
            f"{self.mean:.3f}, of which luck {_signed(self.luck)}"
        )


def _signed(value: float) -> str:
    return f"{round(value, 3) + 0.0:+.3f}"


def best_of(means: ArrayLike, measure: str) -> int:
    """Return the place of the best mean; of equals, the first."""
    return int((np.asarray(means, dtype=float).round(DIGITS) * worth(measure)).argmax())


def choose_setting(sweep: Sweep, measure: str, folds: int, seed: int) -> Choice:
    """Choose by cross-validation over the cases that have a value."""
    values = sweep.cases(measure).dropna(how="all")
    if values.isna().any(axis=None):
        bad = values.isna().any(axis=1)
        raise InputError(
            f"{bad.sum()} cases, such as {values.index[bad][0]!r}, failed with some settings, so the "
            "settings cannot be compared. Run the sweep again: it asks what failed."
        )
    known = sweep.runs[0].cases.filter(id=list(values.index))
    if folds < 2 or folds > len(known):
        raise InputError(
            f"folds={folds} is not possible with {len(known)} cases that have a value."
        )
    rows: list[dict[str, Any]] = []
    outside = []
    for number, part in enumerate(known.split(folds, seed=seed), start=1):
        mine = values.index.isin(part.ids)
        chosen = best_of(values[~mine].mean(), measure)
        scores = values.loc[mine, chosen]
        outside.append(scores.to_numpy())
        rows.append(
            {"fold": number, "cases": len(scores), "chosen": chosen, "mean": scores.mean()}
            | {name: sweep.settings[chosen].get(name) for name in sweep.varied}
        )
    means = values.mean().to_numpy()
    best = best_of(means, measure)
    columns = [Column("fold", "int"), Column("cases", "int"), Column("chosen", "int")]
    columns += [Column(name, "object") for name in sweep.varied]
    return Choice(
        measure,
        {name: sweep.settings[best].get(name) for name in sweep.varied},
        best,
        float(means[best]),
        float(np.concatenate(outside).mean()),
        float(means[0]),
        to_frame(rows, [*columns, Column("mean", "float")]),
    )
