"""The options that name a file to write, checked before anything else is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from ..files import check_target

__all__ = ["report_option", "written_file"]


def report_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--report``, the path of a file to write."""
    option = click.option(
        "--report", type=click.Path(path_type=Path), callback=_report,
        help="Write a report to this .html or .md file.",
    )  # fmt: skip
    return option(command)


def written_file(
    _context: click.Context, _option: click.Parameter, path: Path | None
) -> Path | None:
    """Refuse, as a click callback, a file that must not be written, before hours go by."""
    if path is not None:
        check_target(path)
    return path


def _report(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    from ..report import check_path

    return None if path is None else check_path(path)
