"""Whether a run passed, and a short diff that says why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ...errors import GateFailed
from ...frames import Column, to_frame
from .tolerance import Tolerance

__all__ = ["GateReport"]

COLUMNS = (
    Column("measure"),
    Column("group"),
    Column("cases", "int"),
    Column("baseline", "float"),
    Column("now", "float"),
    Column("change", "float"),
    Column("allowed", "float"),
    Column("p", "float"),
    Column("verdict"),
)
SHOWN = 8
QUERY = 60


@dataclass(frozen=True)
class GateReport:
    """Each measure of a run against its baseline.

    ``passed`` tells whether none is worse than allowed and no more cases failed,
    nor others than in the baseline: ``newly`` are those that it has figures of.
    ``cases`` are the values that changed: measure, id, query, baseline, now.
    """

    run: str
    baseline: str
    rows: Sequence[Mapping[str, Any]] = field(repr=False)
    cases: pd.DataFrame = field(repr=False, compare=False)
    failed: tuple[int, int] = (0, 0)
    tolerance: Tolerance = field(default_factory=Tolerance)
    circumstances: tuple[str, ...] = ()
    newly: tuple[str, ...] = ()

    @property
    def worse(self) -> list[Mapping[str, Any]]:
        """Return the rows that are worse than allowed."""
        return [row for row in self.rows if row["verdict"] == "WORSE"]

    @property
    def passed(self) -> bool:
        """Tell whether the run may pass."""
        return not self.worse and not self.newly and self.failed[1] <= self.failed[0]

    def frame(self) -> pd.DataFrame:
        """Return one row per measure and group: baseline, now, change, allowed, p, verdict."""
        return to_frame(self.rows, COLUMNS)

    def raise_if_failed(self) -> GateReport:
        """Raise GateFailed with the diff where the run did not pass; return the report otherwise."""
        if not self.passed:
            raise GateFailed(str(self))
        return self

    def __str__(self) -> str:
        """Return the diff: what is worse, which cases did it, what else is different."""
        return "\n".join([self._head(), *self._lines(), *self._cases(), *self._around()])

    def __repr__(self) -> str:
        """Show the diff."""
        return str(self)

    def _head(self) -> str:
        if self.passed:
            return f"PASSED: {self.run} against {self.baseline}"
        said = []
        if self.worse:
            said.append(f"{len(self.worse)} of {len(self.rows)} figures are worse than allowed")
        if self.failed[1] > self.failed[0]:
            said.append(f"{self.failed[1]} cases failed (baseline: {self.failed[0]})")
        elif self.newly:
            said.append(f"{len(self.newly)} cases failed that the baseline has: {self.newly[0]} …")
        return f"FAILED: {self.run} against {self.baseline}: {'; '.join(said)}"

    def _lines(self) -> list[str]:
        rows = [row for row in self.rows if row["group"] == "all" or row["verdict"] == "WORSE"]
        lines = []
        for row in rows:
            name = row["measure"] if row["group"] == "all" else f"{row['measure']} / {row['group']}"
            p = f", p={row['p']:.3f}" if row["p"] is not None else ""
            lines.append(
                f"  {name:<26} {row['baseline']:.3f} -> {row['now']:.3f}  {row['change']:+.3f}{p}"
                f"  {row['verdict']}"
            )
        return [*lines, f"  allowed: {self.tolerance}"]

    def _cases(self) -> list[str]:
        lost = self.cases[self.cases["loss"] > 0].to_dict("records")
        found: dict[str, list[dict[Any, Any]]] = {}
        for row in sorted(lost, key=lambda row: -row["loss"]):
            found.setdefault(row["id"], []).append(row)
        lines = [f"  {_case_line(rows)}" for rows in list(found.values())[:SHOWN]]
        more = [f"  … and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        return [f"worse cases ({len(found)}):", *lines, *more] if lines else []

    def _around(self) -> list[str]:
        if not self.circumstances:
            return []
        return [
            "different from the baseline (there / now):",
            *(f"  {x}" for x in self.circumstances),
        ]


def _case_line(rows: Sequence[Mapping[Any, Any]]) -> str:
    """Return one case with the values that got worse."""
    line = " ".join(str(rows[0]["query"]).split())
    short = line if len(line) <= QUERY else line[: QUERY - 1] + "…"
    values = ", ".join(
        f"{row['measure']} {row['baseline']:.3g} -> {row['now']:.3g}" for row in rows
    )
    return f"{rows[0]['id']} ({short}): {values}"
