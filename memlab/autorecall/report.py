"""The report of a composed query, for a terminal and for a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from .query import ComposedQuery, Line
from .words import counted

__all__ = ["QueryReport"]

_SHOWN = 300
_KEPT = "border-left:3px solid #2a8a4a;padding-left:6px"
_GONE = "border-left:3px solid #b5443c;padding-left:6px;opacity:.65"
_WHY = "font-size:85%;opacity:.8"
_BOX = "white-space:pre-wrap;overflow-wrap:anywhere;text-align:left;margin:1px 0"


@dataclass(frozen=True, repr=False)
class QueryReport:
    """What is asked and what is not, line by line, in the order of the conversation.

    Printing it gives text, showing it in a notebook gives marked lines.
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
        lines = [_line(line) for line in self.query.lines]
        notes = [f"! {note}" for note in self.query.notes]
        return "\n".join([self.head, *notes, *lines])

    @property
    def html(self) -> str:
        """Return the report as HTML; every text of the conversation is escaped."""
        notes = "".join(f"<div>⚠ {escape(note)}</div>" for note in self.query.notes)
        lines = "".join(_marked(line) for line in self.query.lines)
        return f"<div><p><b>{escape(self.head)}</b></p>{notes}{lines}</div>"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """Show the report."""
        return self.text

    def _repr_html_(self) -> str:
        """Show the report with its lines marked."""
        return self.html


def _short(line: Line) -> str:
    text = line.shown
    if len(text) <= _SHOWN:
        return text
    half = _SHOWN // 2
    return f"{text[:half]} [… {len(text) - 2 * half} more …] {text[-half:]}"


def _place(line: Line) -> str:
    return line.part if line.part == "prompt" else f"{line.message} {line.role}"


def _line(line: Line) -> str:
    why = f"  ({line.why})" if line.why else ""
    text = " ⏎ ".join(_short(line).split("\n"))
    return f"{'+' if line.kept else '-'} [{_place(line)}] {text}{why}"


def _marked(line: Line) -> str:
    why = f' <span style="{_WHY}">{escape(line.why)}</span>' if line.why else ""
    text = escape(_short(line)) if line.kept else f"<s>{escape(_short(line))}</s>"
    style = f"{_BOX};{_KEPT if line.kept else _GONE}"
    place = f'<span style="{_WHY}">{escape(_place(line))}</span>'
    return f'<div style="{style}" dir="auto">{place} {text}{why}</div>'
