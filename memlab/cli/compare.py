"""``memlab compare``: is one run better than another?"""

from __future__ import annotations

from pathlib import Path

import click

from .reporting import report_option

__all__ = ["command"]


@click.command("compare")
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "--by", default="category", show_default=True, help="Groups; 'none' for all cases only."
)
@click.option("--measure", help="Whose changed cases are shown; by default the first.")
@click.option(
    "--failed", type=click.Choice(["skip", "zero"]), help="What becomes of cases that failed."
)
@click.option("--level", default=0.95, show_default=True, help="Of intervals and tests.")
@click.option("--flips", is_flag=True, help="Show which hits changed places, and what did it.")
@report_option
def command(
    *,
    before: Path,
    after: tuple[Path, ...],
    by: str,
    measure: str | None,
    failed: str | None,
    level: float,
    flips: bool,
    report: Path | None,
) -> None:
    """Compare saved runs over the same cases with BEFORE.

    Runs are files that `memlab eval --run` wrote.
    """
    from ..evaluation import Evaluation, compare
    from ..report import make_report

    runs = [Evaluation.load(path) for path in (before, *after)]
    found = compare(
        *runs,
        by=None if by == "none" else by,
        failed=failed,  # type: ignore[arg-type]
        level=level,
    )
    click.echo(repr(found))
    changed = found.cases(measure)
    click.echo(f"\n{len(changed)} cases changed")
    if len(changed):
        click.echo(changed.round(3).to_string(index=False, max_colwidth=60))
    if flips:
        click.echo(f"\nWho flipped\n{found.flips().round(4).to_string(index=False)}")
    if report is not None:
        click.echo(f"The report is in {make_report(found, title='Comparison').save(report)}.")
