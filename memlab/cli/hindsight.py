"""``memlab hindsight``: a Hindsight server of one's own, on loopback."""

from __future__ import annotations

import sys

import click

from ..hindsight import server
from .group import Group

__all__ = ["command"]

_NAME = click.option(
    "--name", default="main", show_default=True, help="Which local server; each has its own data."
)


@click.group("hindsight", cls=Group)
def command() -> None:
    """Run a Hindsight server of your own, on loopback."""


@command.command()
@_NAME
@click.option(
    "--llm",
    default="mock",
    show_default=True,
    help="Language model: none, mock (a stand-in), or the address of an OpenAI-compatible service.",
)
@click.option("--model", default="", help="The service's model. Its key is OPENAI_API_KEY.")
@click.option("--port", type=click.IntRange(1, 65535), help="Default: 18888, or another free one.")
def up(name: str, llm: str, model: str, port: int | None) -> None:
    """Install Hindsight where it is missing, and start it; may be run again."""
    found = server.up(name, llm=llm, model=model, port=port)
    click.echo(found)
    click.echo(f"In Python: memlab.Hindsight('my-bank', url={found.url!r}, writable=True)")


@command.command()
@_NAME
@click.option("--wipe", is_flag=True, help="Delete its banks and its log, too.")
def down(name: str, wipe: bool) -> None:
    """Stop the server and its database; the banks stay."""
    if server.down(name, wipe=wipe):
        click.echo(f"Hindsight ({name}) is down" + ("; its data are deleted" if wipe else ""))
    else:
        click.echo(f"There is no local Hindsight server {name!r}.")


@command.command()
@_NAME
def status(name: str) -> None:
    """Tell how the server is; exit code 1 where it does not answer."""
    found = server.status(name)
    if found is None:
        click.echo(f"There is no local Hindsight server {name!r}. Start one: memlab hindsight up")
    else:
        click.echo(found)
        click.echo(f"Its files are in {found.folder}")
    if found is None or not found.healthy:
        sys.exit(1)


@command.command()
@_NAME
@click.option("-n", "--lines", default=50, show_default=True, type=click.IntRange(1, 100_000))
def logs(name: str, lines: int) -> None:
    """Show the last lines of the server's log."""
    click.echo(server.logs(name, lines) or f"The server {name!r} has logged nothing.")
