"""The option that asks for a report, checked before anything else is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

__all__ = ["report_option"]


def report_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--report``, the path of a file to write."""
    option = click.option(
        "--report", type=click.Path(path_type=Path), callback=_checked,
        help="Write a report to this .html or .md file.",
    )  # fmt: skip
    return option(command)


def _checked(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a path that no report can be written to, before hours go by."""
    from ..report import check_path

    return None if path is None else check_path(path)
