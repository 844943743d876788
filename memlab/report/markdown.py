"""A report as one Markdown file; texts cannot become markup, links or pictures."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable

from .blocks import Block, Heading, Lines, Picture, Table, Text, cells_of, rest_of

__all__ = ["to_markdown"]

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+!|~&$])")


def to_markdown(title: str, blocks: Iterable[Block]) -> str:
    """Return a file."""
    return "\n\n".join([f"# {_plain(title)}", *map(_markdown, blocks)]) + "\n"


def _plain(text: str) -> str:
    """Return a text in which no sign means anything; addresses are no links."""
    marked = _MARKS.sub(r"\\\1", " ".join(text.split()))
    return marked.replace("://", ":\u200b//").replace("www.", "www\u200b.").replace("@", "@\u200b")


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_plain(text)}"
        case Text(text, loud):
            return f"**{_plain(text)}**" if loud else _plain(text)
        case Lines(text):
            return "\n".join(f"    {line}" for line in text.split("\n"))
        case Picture(png, caption):
            data = base64.b64encode(png).decode("ascii")
            return f"![{_plain(caption)}](data:image/png;base64,{data})"
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    heads, rows = cells_of(table)
    lines = [_row(heads), _row(["---"] * len(heads), escape=False), *map(_row, rows)]
    note = [_plain(table.caption), ""] if table.caption else []
    rest = ["", _plain(rest_of(table))] if rest_of(table) else []
    return "\n".join([*note, *lines, *rest])


def _row(cells: list[str], *, escape: bool = True) -> str:
    return "| " + " | ".join(_plain(cell) if escape else cell for cell in cells) + " |"
