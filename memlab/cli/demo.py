"""``memlab demo``: the first look."""

from __future__ import annotations

from pathlib import Path

import click

from ..demo import show_bank, show_world

__all__ = ["command"]


@click.command("demo")
@click.argument("bank", required=False, type=click.Path(path_type=Path))
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("memlab-demo.png"),
    show_default=True,
    help="Where the picture goes.",
)
def command(bank: Path | None, picture: Path) -> None:
    """Look at a memory bank: what is in it, what it recalls, and how well.

    Without BANK, a small invented world is shown.
    """
    for line in show_world(picture) if bank is None else show_bank(bank, picture):
        click.echo(line)
