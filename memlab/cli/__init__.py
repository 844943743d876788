"""The command line: a thin face of the library."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module

import click

from .. import __version__
from ..errors import MemlabError
from ..text.terminal import printable
from .group import Group

__all__ = ["main"]

# Each command lives in a module of its own and is imported when it is asked for.
COMMANDS = {
    "cases": "memlab.cli.cases",
    "compare": "memlab.cli.compare",
    "demo": "memlab.cli.demo",
    "engine": "memlab.cli.engine",
    "eval": "memlab.cli.eval",
    "gate": "memlab.cli.gate",
    "hindsight": "memlab.cli.hindsight",
    "sessions": "memlab.cli.sessions",
    "sweep": "memlab.cli.sweep",
    "verify": "memlab.cli.verify",
}


class _LazyGroup(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name]).command
        return command


@click.group(cls=_LazyGroup)
@click.version_option(__version__, prog_name="memlab")
def cli() -> None:
    """Look into an agent's long-term memory, and measure what it would recall."""


def main() -> None:
    """Run the command line; an error of memlab's tree is one plain line, exit code 1."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal or file of an older encoding shows what it lacks as "?".
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        cli.main(standalone_mode=False)
    except MemlabError as error:
        click.echo(printable(f"memlab: {error}"), err=True)
        sys.exit(1)
    except BrokenPipeError:  # who reads the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(printable(f"memlab: {place}{error.strerror or error}"), err=True)
        sys.exit(1)
    except click.Abort:
        click.echo("memlab: interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
