"""Which lines of a conversation are in a query, and why the others are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from ..text.javascript import cut, length
from .draft import Draft
from .query import Line
from .spoken import Heard

__all__ = ["lines_by_search", "lines_of_agent"]

OVER_BUDGET = "over budget"


def lines_of_agent(heard: Heard, draft: Draft, kept: int | None, query: str) -> tuple[Line, ...]:
    """Return every line, with ``kept`` of the last context lines asked; None: all.

    What is left of the prompt is known exactly: where no context is left, the
    query is the prompt as far as it fits.
    """
    context = list(_context(draft))
    gone = 0 if kept is None else len(context) - kept
    marked = [line if place >= gone else _dropped(line) for place, line in enumerate(context)]
    room = length(query) if kept == 0 else None
    return _ordered(heard, draft, marked, _prompt(heard, draft.latest, room))


def lines_by_search(heard: Heard, draft: Draft, query: str, strategy: str) -> tuple[Line, ...]:
    """Return every line, asked where the query holds it; of the others the ends that it holds."""
    why, segments = f"left out by {strategy}", query.split("\n")
    whole = _prompt(heard, draft.latest, None)
    marked = [part for line in _context(draft) for part in _found(line, segments, why)]
    prompt = [part for line in whole for part in _found(line, segments, why)]
    return _ordered(heard, draft, marked, prompt)


def _context(draft: Draft) -> Iterator[Line]:
    for said in draft.context:
        for number, text in enumerate(filter(None, said.text.split("\n"))):
            yield Line(said.place, said.role, "context", text, labelled=number == 0)


def _dropped(line: Line, why: str = OVER_BUDGET) -> Line:
    return Line(line.message, line.role, line.part, line.text, why, line.labelled)


def _prompt(heard: Heard, latest: str, room: int | None) -> list[Line]:
    """Return the lines of the prompt, up to ``room`` units of it asked."""
    lines: list[Line] = []
    start = 0
    for text in latest.split("\n"):
        left = length(text) if room is None else min(length(text), max(0, room - start))
        start += length(text) + 1
        parts = ((cut(text, 0, left), ""), (cut(text, left), OVER_BUDGET))
        lines += [Line(heard.prompt, "user", "prompt", part, why) for part, why in parts if part]
    return lines


def _ordered(
    heard: Heard, draft: Draft, context: Iterable[Line], prompt: Iterable[Line]
) -> tuple[Line, ...]:
    """Put all lines in the order of the conversation, the prompt last."""
    silent = [
        Line(gone.place, gone.role, "context", gone.text, gone.why)
        for gone in (*heard.unsaid, *draft.left_out)
        if gone.place != heard.prompt
    ]
    return (*sorted([*silent, *context], key=attrgetter("message")), *prompt)


def _found(line: Line, segments: Sequence[str], why: str) -> list[Line]:
    """Split a line into what the lines of the query hold of its ends, and the rest.

    A cut runs through a line at most at its ends, so a line of the query that
    is a beginning or an end of this one is a piece of it.
    """
    text = f"{line.role}: {line.text}" if line.labelled else line.text
    label = len(text) - len(line.text)
    pieces = [segment for segment in segments if segment]
    first = max((len(s) for s in pieces if text.startswith(s)), default=0)
    last = max((len(s) for s in pieces if text.endswith(s)), default=0)
    head = max(0, min(first, len(text)) - label)
    tail = min(last, len(line.text) - head)
    end = len(line.text) - tail
    parts = ((line.text[:head], ""), (line.text[head:end], why), (line.text[end:], ""))
    return [
        Line(line.message, line.role, line.part, part, reason, line.labelled and place == 0)
        for place, (part, reason) in enumerate(parts)
        if part
    ]
