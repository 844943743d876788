"""The outcome of a comparison, with its several views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import pandas as pd

from ...errors import InputError
from ...frames import Column, to_frame
from ..evaluation import Evaluation
from ..measures import parse_measures
from ..own import less_is_better
from .flips import changed_hits, flipped_pairs

__all__ = ["Comparison"]

COLUMNS = (
    Column("run"),
    Column("measure"),
    Column("group"),
    Column("cases", "int"),
    Column("before", "float"),
    Column("after", "float"),
    Column("difference", "float"),
    Column("low", "float"),
    Column("high", "float"),
    Column("p", "float"),
    Column("p_holm", "float"),
    Column("up", "int"),
    Column("down", "int"),
    Column("failed", "int"),
)


@dataclass(frozen=True)
class Comparison:
    """Runs against a first one: differences with intervals, and what changed case by case."""

    before: Evaluation
    after: tuple[Evaluation, ...]
    rows: Sequence[Mapping[str, Any]] = field(repr=False)
    pairs: tuple[pd.DataFrame, ...] = field(repr=False)
    level: float = 0.95

    def frame(self) -> pd.DataFrame:
        """Return one row per run, measure and group.

        Columns: cases, before, after (means), difference, low, high (its
        interval), p, p_holm (adjusted for the number of rows), up, down (cases
        with a higher or lower value), failed (cases that failed in either run).
        """
        return to_frame(self.rows, COLUMNS)

    def cases(self, measure: object = None, *, changed: bool = True) -> pd.DataFrame:
        """Return the cases whose value changed: run, id, category, query, before, after, difference.

        The greatest losses come first. ``changed=False`` returns all cases.
        """
        names = list(dict.fromkeys(row["measure"] for row in self.rows))
        name = names[0] if measure is None else str(parse_measures(measure)[0])  # type: ignore[arg-type]
        if name not in names:
            raise InputError(f"The comparison has no {name}. It has: {', '.join(names)}.")
        found = []
        for run, values in zip(self.after, self.pairs, strict=True):
            part = values[values["measure"] == name].drop(columns="measure")
            part.insert(0, "run", run.name)
            found.append(part)
        table = pd.concat(found, ignore_index=True)
        if changed:
            table = table[table["difference"] != 0]
        return table.sort_values("difference", kind="stable").reset_index(drop=True)

    def hits(self, *, relevant: bool = False) -> pd.DataFrame:
        """Return the hits that came, went or moved: run, case, key, grade, before, after, text.

        ``before`` and ``after`` are ranks; missing: not among the hits.
        """
        return changed_hits(self.before, self.after, relevant=relevant)

    def flips(self) -> pd.DataFrame:
        """Return who flipped: pairs of hits whose order changed, and which score part did it.

        Columns: run, case, up, down (the keys of the hit that rose above the
        other), grade_up, grade_down, part, how, change. ``part`` is the part of
        the score that put it there; ``how`` says whether its "value" changed,
        its "weight", a "factor" of the whole score, or nothing but the order
        made afterwards ("reranking"). ``change`` is by how much the lead grew.
        """
        return flipped_pairs(self.before, self.after)

    @property
    def significant(self) -> pd.DataFrame:
        """Return the rows that chance does not explain, at this level and adjusted for their number."""
        table = self.frame()
        return table[table["p_holm"] <= 1 - self.level].reset_index(drop=True)

    def verdict(self, row: Mapping[str, Any]) -> str:
        """Return better, worse, the same, or no difference shown, for one row."""
        if row["up"] == row["down"] == 0:
            return "the same"
        if row["p_holm"] > 1 - self.level:
            return "no difference shown"
        rises = row["difference"] > 0
        return "better" if rises != less_is_better(str(row["measure"])) else "worse"

    def __repr__(self) -> str:
        """Show a line per measure over all cases, and the groups that differ."""
        head = f"{self.before.name}  ->  {', '.join(run.name for run in self.after)}"
        return "\n".join([head, *map(self._line, self._shown())])

    def _repr_html_(self) -> str:
        """Show the same as a table; every text is escaped."""
        names = ["measure", "group", "cases", "before", "after", "difference", "interval", "p", ""]
        several = len(self.after) > 1
        head = "".join(f"<th>{name}</th>" for name in (["run"] if several else []) + names)
        rows = [([row["run"]] if several else []) + self._cells(row) for row in self._shown()]
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        title = f"{self.before.name} → {', '.join(run.name for run in self.after)}"
        return f"<p>{escape(title)}</p><table><tr>{head}</tr>{body}</table>"

    def _shown(self) -> list[Mapping[str, Any]]:
        limit = 1 - self.level
        return [row for row in self.rows if row["group"] == "all" or row["p_holm"] <= limit]

    def _cells(self, row: Mapping[str, Any]) -> list[str]:
        return [
            row["measure"], row["group"], str(row["cases"]), f"{row['before']:.3f}",
            f"{row['after']:.3f}", f"{row['difference']:+.3f}",
            f"{row['low']:+.3f} to {row['high']:+.3f}", f"{row['p_holm']:.3f}", self.verdict(row),
        ]  # fmt: skip

    def _line(self, row: Mapping[str, Any]) -> str:
        name = row["measure"] if row["group"] == "all" else f"{row['measure']} / {row['group']}"
        run = f" [{row['run']}]" if len(self.after) > 1 else ""
        return (
            f"  {name:<24} {row['before']:.3f} -> {row['after']:.3f}  {row['difference']:+.3f} "
            f"({row['low']:+.3f} to {row['high']:+.3f})  p={row['p_holm']:.3f}  "
            f"{self.verdict(row)}{run}"
        )
