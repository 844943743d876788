"""What a run is held against: the values of an earlier one, kept in a small file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import FormatError, InputError
from ...files import expanded, write_text
from ..context import Context
from ..evaluation import Evaluation
from ..shapes import BaselineShape, fit
from ..summary import failed_cases
from .tolerance import Tolerance

__all__ = ["Baseline"]

FORMAT = 1
DIGITS = 9


@dataclass(frozen=True)
class Baseline:
    """The values of each case and measure of a run that was good enough.

    ``groups`` are the categories of the cases; ``failed`` counts the cases that
    failed. It holds no query and no memory.
    """

    name: str
    values: Mapping[str, Mapping[str, float]] = field(repr=False)
    groups: Mapping[str, str] = field(repr=False)
    failed: int
    tolerance: Tolerance
    context: Context = field(repr=False)

    @classmethod
    def of(cls, run: Evaluation, tolerance: Tolerance | None = None) -> Baseline:
        """Make a baseline of a run."""
        if run.context is None:
            raise InputError("This evaluation was not made by evaluate(), so it has no context.")
        values = {
            str(measure): {
                case.id: round(value, DIGITS)
                for case in run.cases
                if (value := run.values[case.id].get(str(measure))) is not None
            }
            for measure in run.measures
        }
        groups = {case.id: case.category for case in run.cases}
        bad = len(failed_cases(run))
        return cls(run.name, values, groups, bad, tolerance or Tolerance(), run.context)

    def save(self, path: str | Path) -> Path:
        """Write the baseline to a file that reads well in a diff; return the path."""
        context = {**vars(self.context), "versions": {}, "started": ""}
        row = {"memlab_baseline": FORMAT, "name": self.name, "failed": self.failed}
        row |= {"tolerance": self.tolerance.record(), "context": context}
        row |= {"groups": dict(self.groups), "values": {m: dict(v) for m, v in self.values.items()}}
        return write_text(path, json.dumps(row, indent=1, ensure_ascii=True) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Baseline:
        """Read a baseline; raise InputError where there is none, FormatError where it is none."""
        path = expanded(path)
        if not path.is_file():
            raise InputError(
                f"There is no baseline at {path}. Make one of a run that is good enough: update=True, "
                "or memlab gate RUN BASELINE --update."
            )
        try:
            row: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if row.get("memlab_baseline") != FORMAT:
                raise FormatError(f"{path} is not a baseline of this format ({FORMAT}).")
            fit(BaselineShape, row)
            return cls(
                row["name"], row["values"], row["groups"], row["failed"],
                Tolerance(**row["tolerance"]), Context(**row["context"]),
            )  # fmt: skip
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, FormatError):
                raise
            raise FormatError(f"{path} cannot be read as a baseline: {error!r:.200}") from error
