"""``memlab cases``: labelled cases, checked, made, converted, labelled."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import click

from .group import Group

__all__ = ["command"]

PATH = click.Path(path_type=Path)
GRADES = "0 not relevant, 1 helps, 2 answers in part, 3 answers, s skip, q stop"


@click.group("cases", cls=Group)
def command() -> None:
    """Work on files of labelled cases."""


@command.command("check")
@click.argument("path", type=PATH)
@click.option("--bank", type=PATH, help="Look the keys up in this bank, too.")
def check(path: Path, bank: Path | None) -> None:
    """Read PATH and show what is in it, and all that is wrong; end with 1 where something is."""
    from ..evaluation import Cases
    from ..mnemopi import Mnemopi

    cases = Cases.load(path, strict=False)
    click.echo(repr(cases))
    if len(cases.problems):
        click.echo(cases.problems.to_string(index=False))
    with ExitStack() as opened:
        found = cases.check(opened.enter_context(Mnemopi(bank)) if bank else None)
    click.echo(f"{len(found)} doubtful labels or questions")
    if len(found):
        click.echo(found.to_string(index=False))
    wrong = len(cases.problems) + len(found)
    if wrong:
        sys.exit(1)


@command.command("make")
@click.argument("bank", type=PATH)
@click.argument("out", type=PATH)
@click.option("--kind", "kinds", multiple=True, help="Which kinds; by default all.")
@click.option("--per-kind", default=20, show_default=True, help="So many of each, per tier.")
@click.option("--seed", default=0, show_default=True, help="Other numbers make other cases.")
def make(bank: Path, out: Path, kinds: tuple[str, ...], per_kind: int, seed: int) -> None:
    """Make labelled cases from the memories of BANK, without anybody's work, into OUT."""
    from ..evaluation import self_labelled
    from ..mnemopi import Mnemopi

    with Mnemopi(bank) as opened:
        cases = self_labelled(opened, kinds or None, per_kind=per_kind, seed=seed)
    click.echo(f"{cases!r}\nThey are in {cases.save(out)}.")


@command.command("convert")
@click.argument("path", type=PATH)
@click.argument("out", type=PATH)
def convert(path: Path, out: Path) -> None:
    """Write the cases of PATH as OUT: .jsonl, .csv, .tsv, or a folder for TREC's qrels."""
    from ..evaluation import Cases

    cases = Cases.load(path)
    saved = cases.save(out) if out.suffix else cases.to_trec(out)
    click.echo(f"{len(cases)} cases are in {saved}.")


@command.command("label")
@click.argument("runs", type=PATH, nargs=-1, required=True)
@click.option("--out", type=PATH, required=True, help="Where the labelled cases are written.")
@click.option("--depth", default=8, show_default=True, help="Hits per run that are judged.")
def label(runs: tuple[Path, ...], out: Path, depth: int) -> None:
    """Judge the pooled hits of saved RUNS one by one, by hand.

    Stop at any time; what was judged is in --out, and is not asked again when
    that file is there.
    """
    from ..evaluation import Cases, Evaluation, label_queue
    from ..text.terminal import printable

    loaded = [Evaluation.load(path) for path in runs]
    if out.exists():
        known = Cases.load(out)
        loaded = [run.rescore(cases=known) for run in loaded]
    queue = label_queue(loaded, depth=depth)
    skipped: set[tuple[str, str]] = set()
    while left := [one for one in queue.waiting if (one.case, one.key) not in skipped]:
        one = left[0]
        click.echo(f"\n{len(left)} left. {printable(one.query)}\n    {printable(one.text)}")
        said = click.prompt(GRADES, type=click.Choice(["0", "1", "2", "3", "s", "q"]))
        if said == "q":
            break
        if said == "s":
            skipped.add((one.case, one.key))
            continue
        queue = queue.grade(one.case, one.key, int(said))
        queue.cases().save(out)
    click.echo(queue.coverage().round(3).to_string(index=False))
