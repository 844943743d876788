"""make_report(): results as one self-contained file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..evaluation import Evaluation
from ..files import check_target, expanded, write_bytes
from .blocks import Block
from .html import to_html
from .markdown import to_markdown
from .sections import overview, section

__all__ = ["Report", "check_path", "make_report"]

WRITERS = {".html": to_html, ".htm": to_html, ".md": to_markdown}


@dataclass(frozen=True)
class Report:
    """A report: its title and its parts, to be written as HTML or Markdown."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def html(self) -> str:
        """Return the report as one HTML page that loads nothing."""
        return to_html(self.title, self.blocks)

    @property
    def markdown(self) -> str:
        """Return the report as one Markdown file, pictures included."""
        return to_markdown(self.title, self.blocks)

    def save(self, path: str | Path) -> Path:
        """Write the report to a .html or .md file; return the path."""
        path = check_path(path)
        text = WRITERS[path.suffix.lower()](self.title, self.blocks)
        return write_bytes(path, text.encode("utf-8", "replace"))

    def __repr__(self) -> str:
        """Show title and size."""
        return f"Report({self.title!r}, {len(self.blocks)} parts); .save('report.html') writes it"


def check_path(path: str | Path) -> Path:
    """Return the path of a report; raise InputError where none can be, or its kind is not clear."""
    path = expanded(path)
    if path.suffix.lower() not in WRITERS:
        raise InputError(f"{path} ends in neither .html nor .md, so its kind is not clear.")
    check_target(path)
    return path


def make_report(*parts: Any, title: str = "memlab report") -> Report:
    """Put results into one report: tables, pictures, failures, circumstances.

    ``parts`` are evaluations, comparisons, sweeps, gate reports and data sets,
    in the order in which they are shown; of several evaluations the means come
    first, side by side. Texts of memories are escaped. Raises InputError for
    anything else.
    """
    if not parts:
        raise InputError("A report of nothing: give evaluations, comparisons, sweeps or data sets.")
    runs = [part for part in parts if isinstance(part, Evaluation)]
    blocks: list[Block] = list(overview(runs)) if len(runs) > 1 else []
    for part in parts:
        blocks += section(part)
    return Report(title, tuple(blocks))
