"""The report of a composed query, for a terminal and for a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from operator import attrgetter

from ..text.javascript import length
from ..text.terminal import printable
from .query import ComposedQuery, Line
from .words import counted

__all__ = ["QueryReport"]

_SHOWN = 300
_EDGE = {True: 30, False: 6}  # so many lines of a long run are shown at either end, if asked or not
_KEPT = "border-left:3px solid #2a8a4a;padding-left:6px"
_GONE = "border-left:3px solid #b5443c;padding-left:6px;opacity:.65"
_WHY = "font-size:85%;opacity:.8"
_BOX = "white-space:pre-wrap;overflow-wrap:anywhere;text-align:left;margin:1px 0"


@dataclass(frozen=True, repr=False)
class QueryReport:
    """What is asked and what is not, line by line, in the order of the conversation.

    Printing it gives text, showing it in a notebook gives marked lines. The middle
    of a long run is counted instead of shown; ``query.frame()`` has every line.
    """

    query: ComposedQuery

    @property
    def head(self) -> str:
        """Return the sizes in one line."""
        query = self.query
        room = query.max_chars if query.max_chars > 0 else "no limit"
        sizes = f"{counted(query.chars, 'unit')}, {counted(query.tokens, 'token')}"
        lines = f"{counted(len(query.kept), 'line')} asked, {len(query.dropped):,} not"
        cut = f"{counted(query.dropped_chars, 'unit')} cut"
        return f"{query.strategy}, turns={query.turns}, max_chars={room}: {sizes}; {lines}; {cut}"

    @property
    def text(self) -> str:
        """Return the report as text; ``+`` marks what is asked, ``-`` what is not."""
        lines = [_line(part) for part in _folded(self.query.lines)]
        notes = [f"! {note}" for note in self.query.notes]
        return printable("\n".join([self.head, *notes, *lines]))

    @property
    def html(self) -> str:
        """Return the report as HTML; every text of the conversation is escaped."""
        notes = "".join(f"<div>⚠ {escape(note)}</div>" for note in self.query.notes)
        lines = "".join(_marked(part) for part in _folded(self.query.lines))
        return f"<div><p><b>{escape(self.head)}</b></p>{notes}{lines}</div>"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """Show the report."""
        return self.text

    def _repr_html_(self) -> str:
        """Show the report with its lines marked."""
        return self.html


_Run = tuple[Line, ...]


def _folded(lines: Iterable[Line]) -> Iterator[Line | _Run]:
    """Yield the lines; the middle of a long run of one kind, asked or not, as a tuple."""
    for kept, group in groupby(lines, attrgetter("kept")):
        run, edge = tuple(group), _EDGE[kept]
        if len(run) <= 2 * edge + 1:
            yield from run
        else:
            yield from run[:edge]
            yield run[edge:-edge]
            yield from run[-edge:]


def _counted(run: _Run) -> str:
    units = counted(sum(length(line.text) for line in run), "unit")
    whys = Counter(line.why for line in run if line.why)
    why = ", ".join(f"{count:,} {why}" for why, count in whys.items())
    return f"… {counted(len(run), 'more line')}, {units}{f' ({why})' if why else ''}"


def _short(line: Line) -> str:
    text = line.shown
    if len(text) <= _SHOWN:
        return text
    half = _SHOWN // 2
    return f"{text[:half]} [… {len(text) - 2 * half} more …] {text[-half:]}"


def _place(line: Line) -> str:
    return line.part if line.part == "prompt" else f"{line.message} {line.role}"


def _line(line: Line | _Run) -> str:
    if isinstance(line, tuple):
        return f"{'+' if line[0].kept else '-'} {_counted(line)}"
    why = f"  ({line.why})" if line.why else ""
    text = " ⏎ ".join(part.rstrip("\r") for part in _short(line).split("\n"))
    return f"{'+' if line.kept else '-'} [{_place(line)}] {text}{why}"


def _marked(line: Line | _Run) -> str:
    if isinstance(line, tuple):
        style = f"{_BOX};{_KEPT if line[0].kept else _GONE}"
        return f'<div style="{style}"><span style="{_WHY}">{escape(_counted(line))}</span></div>'
    why = f' <span style="{_WHY}">{escape(line.why)}</span>' if line.why else ""
    text = escape(_short(line)) if line.kept else f"<s>{escape(_short(line))}</s>"
    style = f"{_BOX};{_KEPT if line.kept else _GONE}"
    place = f'<span style="{_WHY}">{escape(_place(line))}</span>'
    return f'<div style="{style}" dir="auto">{place} {text}{why}</div>'
