"""A group of commands whose list says each one's first sentence in full."""

from __future__ import annotations

import click

__all__ = ["Group"]

_WHOLE = 1000


class Group(click.Group):
    """A group that folds the first sentences of its commands; click itself cuts them off."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands and what each does, on as many lines as that takes."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, one.get_short_help_str(_WHOLE)) for name, one in found if one]
            )
