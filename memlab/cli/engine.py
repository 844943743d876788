"""``memlab engine``: the real memory engine beside memlab."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from ..mnemopi.engine import engine_dir, install, installed
from ..mnemopi.engine.pins import pins
from .group import Group

__all__ = ["command"]

_CACHE = click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to install under. By default MEMLAB_CACHE, or the user's cache folder.",
)


@click.group("engine", cls=Group)
def command() -> None:
    """Install the real memory engine, and see whether it is there.

    memlab recalls without it. It is what `memlab verify` and engine="omp" ask.
    """


@command.command("install")
@_CACHE
def _install(cache: Path | None) -> None:
    """Bring the engine in the pinned versions by npm; nothing is done where it is there."""
    folder = install(cache, on_progress=lambda line: click.echo(line, err=True))
    click.echo(f"The engine is in {folder}")


@command.command("status")
@_CACHE
def _status(cache: Path | None) -> None:
    """Say which versions memlab wants, and whether they are installed."""
    there = installed(cache)
    wanted = ", ".join(f"{name} {version}" for name, version in pins().versions().items())
    npm = shutil.which("npm")
    click.echo(f"engine  {'installed' if there else 'not installed'}")
    click.echo(f"folder  {engine_dir(cache)}")
    click.echo(f"wanted  {wanted}")
    click.echo(f"npm     {npm or 'not found: install Node.js, which brings it'}")
    if not there:
        click.echo("Run `memlab engine install` to bring it.")
