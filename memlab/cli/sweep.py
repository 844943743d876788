"""``memlab sweep``: which settings are best?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..files import write_text
from .reporting import report_option, written_file
from .subjects import SYSTEMS, options_of, subject_options, task_of

__all__ = ["command"]


@click.command("sweep")
@subject_options
@click.option("--system", default="mnemopi", show_default=True, type=click.Choice(SYSTEMS))
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=A,B,C",
    required=True,
    help="An option and the values to try; several times for a grid.",
)
@click.option("--measure", "measures", multiple=True, help="Such as nDCG@10; the first decides.")
@click.option("--folds", default=5, show_default=True, help="Folds for choosing a setting.")
@click.option("--seed", default=0, show_default=True, help="Other numbers make other folds.")
@click.option("--jobs", type=int, help="Ask so many at once.")
@click.option("--processes", is_flag=True, help="With --jobs: processes instead of threads.")
@click.option(
    "--cache", type=click.Path(path_type=Path), help="Where answers are kept; by default memlab's."
)
@click.option("--no-cache", is_flag=True, help="Keep nothing.")
@click.option(
    "--csv", type=click.Path(path_type=Path), callback=written_file,
    help="Write the table to this file.",
)  # fmt: skip
@report_option
def command(
    *,
    system: str,
    options: tuple[str, ...],
    measures: tuple[str, ...],
    folds: int,
    seed: int,
    jobs: int | None,
    processes: bool,
    cache: Path | None,
    no_cache: bool,
    csv: Path | None,
    report: Path | None,
    **subject: Any,
) -> None:
    """Ask labelled cases with every combination of settings, and choose one fairly.

    Answers are kept: a sweep that was interrupted goes on, a larger one asks
    only what is new.
    """
    from ..evaluation import sweep
    from ..report import make_report

    given = options_of(options, several=True)
    with task_of(**subject) as task:
        found = sweep(
            task.system(system), task.cases, list(measures) or None,
            cache=None if no_cache else cache or True, jobs=jobs,
            prefer="processes" if processes else "threads", **task.options(system, given),
        )  # fmt: skip
        table = found.frame()
        click.echo(f"{len(found)} settings, {len(task.cases)} cases, {found.asked} recalls asked")
        click.echo(table.round(3).to_string(index=False))
        if len(found) > 1:
            click.echo(f"\nChosen by {folds} folds:\n{found.choose(folds=folds, seed=seed)!r}")
        if csv is not None:
            write_text(csv, table.to_csv(index=False, lineterminator="\n"))
        if report is not None:
            click.echo(f"The report is in {make_report(found, title='Sweep').save(report)}.")
