"""How an evaluation shows itself: short, and never silent about failures."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

import pandas as pd

from . import summary

if TYPE_CHECKING:
    from .evaluation import Evaluation

__all__ = ["evaluation_html", "evaluation_text"]


def _head(run: Evaluation) -> str:
    kinds = pd.Series([case.kind for case in run.cases], dtype="str").value_counts()
    said = ", ".join(
        f"{kinds[kind]} {kind}" for kind in ("labelled", "null", "unlabelled") if kind in kinds
    )
    return f"{run.name}: {len(run)} cases ({said})"


def _warning(run: Evaluation) -> str:
    bad = summary.failed_cases(run)
    if not bad:
        return ""
    said = summary.endings_of(run, bad)
    return f"{len(bad)} cases FAILED ({said}); the means leave them out. See .failures()"


def _lines(run: Evaluation) -> list[tuple[str, str, str]]:
    table = summary.means(run, "skip")
    means, counts = table["mean"].tolist(), table["cases"].tolist()
    return [
        (name, "-" if math.isnan(mean) else f"{mean:.3f}", f"over {count}")
        for name, mean, count in zip(table["measure"].tolist(), means, counts, strict=True)
    ]


def evaluation_text(run: Evaluation) -> str:
    """Return the means as text."""
    lines = [f"  {name:<14} {mean:>8}  {over}" for name, mean, over in _lines(run)]
    return "\n".join(line for line in (_head(run), _warning(run), *lines) if line)


def evaluation_html(run: Evaluation) -> str:
    """Return the means as a small table."""
    warning = _warning(run)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>"
        for line in _lines(run)
    )
    bold = f"<p><b>{escape(warning)}</b></p>" if warning else ""
    return f"<p>{escape(_head(run))}</p>{bold}<table>{rows}</table>"
