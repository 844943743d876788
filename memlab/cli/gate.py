"""``memlab gate``: is a run as good as it has to be?"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .reporting import report_option

__all__ = ["command"]


@click.command("gate")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("baseline", type=click.Path(path_type=Path))
@click.option("--absolute", type=float, help="A mean may be worse by so much.")
@click.option("--relative", type=float, help="A mean may be worse by this share of the baseline's.")
@click.option("--significance", type=float, help="What chance explains at this level may pass.")
@click.option("--by-category", is_flag=True, help="Every category must hold, too.")
@click.option("--update", is_flag=True, help="Write RUN as the new baseline; show what changes.")
@report_option
def command(
    *,
    run: Path,
    baseline: Path,
    absolute: float | None,
    relative: float | None,
    significance: float | None,
    by_category: bool,
    update: bool,
    report: Path | None,
) -> None:
    """Hold a saved RUN against a BASELINE; end with 1 where it is worse than allowed.

    RUN is a file that `memlab eval --run` wrote. Without a tolerance, those
    count that the baseline was written with. Make the first with --update.
    """
    from ..evaluation import Evaluation
    from ..evaluation.gating import judged
    from ..report import make_report

    loaded = Evaluation.load(run)
    found = judged(
        loaded, baseline, absolute=absolute, relative=relative, significance=significance,
        by_category=by_category, update=update,
    )  # fmt: skip
    click.echo(str(found))
    if report is not None:
        click.echo(f"The report is in {make_report(found, loaded, title='Gate').save(report)}.")
    if update:
        click.echo(f"{baseline} is the new baseline.")
        return
    if not found.passed:
        sys.exit(1)
