"""``memlab eval``: how good is recall?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..evaluation.summary import CASE_FIELDS, LABEL_FIELDS
from .reporting import report_option
from .subjects import SYSTEMS, options_of, subject_options, task_of

__all__ = ["command"]


@click.command("eval")
@subject_options
@click.option(
    "--system",
    "systems",
    multiple=True,
    type=click.Choice(SYSTEMS),
    help="Who is asked; several times for several. By default mnemopi, and for a set bm25 and lsa.",
)
@click.option("--measure", "measures", multiple=True, help="Such as nDCG@10, R@5, RR, Injected.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of recall."
)
@click.option("--label", help="A name for the run, in tables and reports.")
@click.option("--why", is_flag=True, help="Explain where each missing memory was lost.")
@click.option(
    "--run",
    "run",
    type=click.Path(path_type=Path),
    help="Keep the answers: a file for one system, a folder for several. Goes on if it is there.",
)
@click.option("--only-failed", is_flag=True, help="Ask the failed cases of --run again.")
@click.option(
    "--by", default="category", show_default=True, help="What to group the figures by.",
    type=click.Choice((*CASE_FIELDS, *LABEL_FIELDS)), metavar="FIELD",
)  # fmt: skip
@report_option
def command(
    *,
    systems: tuple[str, ...],
    measures: tuple[str, ...],
    options: tuple[str, ...],
    label: str | None,
    why: bool,
    run: Path | None,
    only_failed: bool,
    by: str,
    report: Path | None,
    **subject: Any,
) -> None:
    """Ask labelled cases and say how much of what they need was recalled.

    Without --dataset or --bank, the sample world is asked. Banks are only read;
    the banks of a set are written to --folder.
    """
    from ..evaluation import evaluate
    from ..report import make_report

    given = options_of(options)
    with task_of(**subject) as task:
        chosen = systems or (("mnemopi", "bm25", "lsa") if task.dataset else ("mnemopi",))
        if task.dataset is not None:
            click.echo(f"{task.dataset!r}\n")
        runs = []
        for name in chosen:
            taken = task.options(name, given, beside="mnemopi" in chosen)
            texts = [text for text in options if text.partition("=")[0] in taken]
            done = evaluate(
                task.system(name), task.cases, list(measures) or None,
                label=_label(name, label, texts, several=len(chosen) > 1),
                run=_place(run, name, several=len(chosen) > 1), only_failed=only_failed, why=why,
                **taken,
            )  # fmt: skip
            runs.append(done)
            click.echo(repr(done))
            click.echo(f"{done.by(by, failed='skip').round(3).to_string()}\n")
        if report is not None:
            data = [task.dataset] if task.dataset else []
            made = make_report(*runs, *data, title=f"Evaluation of {', '.join(chosen)}")
            click.echo(f"The report is in {made.save(report)}.")


def _place(run: Path | None, name: str, *, several: bool) -> Path | None:
    if run is None:
        return None
    return run / f"{name}.jsonl" if several or run.is_dir() else run


def _label(system: str, label: str | None, options: Sequence[str], *, several: bool) -> str:
    """Return the name of a run: as given, else the system and its options."""
    if label:
        return label if not several else f"{label} {system}"
    return f"{system} ({', '.join(options)})" if options else system
