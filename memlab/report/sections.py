"""From results to blocks: one function per kind of result."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import pandas as pd

from ..datasets import Dataset
from ..errors import InputError
from ..evaluation import Comparison, Evaluation, GateReport, Sweep
from ..evaluation.summary import endings_of, failed_cases
from ..frames import Column, to_frame
from .blocks import Block, Heading, Lines, Picture, Table, Text

__all__ = ["overview", "section"]

NOTES = {
    "failures": "Cases without an answer. They are not in the means.",
    "misses": "Cases for which no relevant memory was recalled, the first 30.",
    "by": "Means by category. A measure is blank where it says nothing about a group.",
    "where": "Relevant memories by where they lie: how many there are, and the share that was found.",
}


@singledispatch
def section(part: Any) -> list[Block]:
    """Return the blocks that show a result; raise InputError for what no report can show."""
    known = ", ".join(sorted(kind.__name__ for kind in section.registry if kind is not object))
    raise InputError(f"A report cannot show a {type(part).__name__}. It shows: {known}.")


def picture(part: Any, caption: str, *args: Any, **options: Any) -> Picture:
    """Draw a result as a picture."""
    from ..plots import plot
    from ..plots.canvas import to_png

    return Picture(to_png(plot(part, *args, **options)), caption)


def overview(runs: list[Evaluation]) -> Iterator[Block]:
    """Yield the means of several runs side by side."""
    names = list(dict.fromkeys(str(m) for run in runs for m in run.measures))
    rows = []
    for run in runs:
        means = run.means("skip").set_index("measure")["mean"]
        row: dict[str, Any] = {"run": run.name, "cases": len(run), "failed": len(failed_cases(run))}
        rows.append(row | {name: means.get(name) for name in names})
    columns = [Column("run"), Column("cases", "int"), Column("failed", "int")]
    yield Heading("Overview")
    yield Table(to_frame(rows, [*columns, *(Column(name, "float") for name in names)]), "Means.")


@section.register
def evaluation_section(run: Evaluation) -> list[Block]:
    """Show an evaluation: figures, groups, failures, misses, circumstances."""
    blocks: list[Block] = [Heading(run.name)]
    bad = failed_cases(run)
    if bad:
        said = f"{len(bad)} of {len(run)} cases failed: {endings_of(run, bad)}."
        blocks.append(Text(f"{said} The figures leave them out.", loud=True))
    blocks += [Table(run.intervals(), "Means with 95 % bootstrap intervals.")]
    blocks += [picture(run, f"{run.measures[0]} by category, with the number of cases.")]
    blocks += [Table(run.by("category", failed="skip"), NOTES["by"])]
    blocks += [Table(_where(run), NOTES["where"])] if len(run.relevant()) else []
    blocks += [Table(run.failures(), NOTES["failures"])] if bad else []
    misses = run.misses()
    blocks += [Table(misses, NOTES["misses"], most=30)] if len(misses) else []
    blocks += [
        Table(run.latency().rename("value").rename_axis("percentile").to_frame(), "Seconds.")
    ]
    if run.context is not None:
        blocks.append(Table(run.context.frame(), "Circumstances of the run."))
    return blocks


def _where(run: Evaluation) -> pd.DataFrame:
    """Return the found share by tier, state, length and script of the relevant memories."""
    parts = []
    for name in ("tier", "state", "length", "script", "stage"):
        table = run.by(name, failed="skip").reset_index(names="value")
        if name == "stage" and set(table["value"]) <= {"returned", "unknown"}:
            continue
        table.insert(0, "of", name)
        parts.append(table.astype({"value": "str"}))
    return pd.concat(parts, ignore_index=True)


@section.register
def comparison_section(found: Comparison) -> list[Block]:
    """Show a comparison: differences, intervals, cases, hits."""
    after = ", ".join(run.name for run in found.after)
    blocks: list[Block] = [Heading(f"{found.before.name} against {after}"), Lines(repr(found))]
    blocks += [picture(found, "Differences over all cases; dark: chance does not explain them.")]
    blocks += [Table(found.frame(), "p_holm is adjusted for the number of tests.")]
    blocks += [Table(found.cases(), f"Cases whose {found.rows[0]['measure']} changed.", most=40)]
    flips = found.flips()
    if len(flips):
        counts = flips.groupby(["how", "part"]).size().rename("pairs").reset_index()
        blocks.append(
            Table(counts, "Who flipped: pairs of hits whose order changed, by what did it.")
        )
    return blocks


@section.register
def sweep_section(found: Sweep) -> list[Block]:
    """Show a sweep: all settings, the front, a fair choice."""
    name = found.measure_name()
    blocks: list[Block] = [Heading(f"Sweep over {', '.join(found.varied) or 'nothing'}")]
    if found.varied:
        blocks.append(picture(found, f"Mean {name}."))
    blocks += [picture(found, f"Mean {name} against the tokens shown.", x="Tokens")]
    blocks += [
        Table(found.pareto(costs=["Tokens"]), "best: no other setting is better and cheaper.")
    ]
    table = found.frame()
    cases = found.cases().dropna(how="all")
    if len(found) > 1 and not table["failed"].any() and len(cases) >= 5:
        blocks.append(Lines(repr(found.choose())))
    return blocks


@section.register
def dataset_section(data: Dataset) -> list[Block]:
    """Show a set: its banks, and what was wrong in its files."""
    blocks: list[Block] = [Heading(f"Data set: {data.name}"), Table(data.frame(), "Banks.")]
    if len(data.dirt):
        blocks.append(Table(data.dirt, "What was wrong in the files, and what was done."))
    return blocks


@section.register
def gate_section(found: GateReport) -> list[Block]:
    """Show a gate: passed or not, and why."""
    verdict = "passed" if found.passed else "FAILED"
    return [
        Heading(f"Gate {verdict}"),
        Lines(str(found)),
        Table(found.frame(), "Against the baseline."),
    ]
