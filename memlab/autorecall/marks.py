"""Which lines of a conversation are in a query, and why the others are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
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
    """Return every line, asked where a line of the query is this one or one of its ends.

    Each line of the query stands for one line at most, in the order of the conversation.
    """
    why = f"left out by {strategy}"
    lines = [*_context(draft), *_prompt(heard, draft.latest, None)]
    segments = query.split("\n")
    whole = SequenceMatcher(None, [_label(line) + line.text for line in lines], segments, False)
    blocks = whole.get_matching_blocks()
    kept = {block.a + step for block in blocks for step in range(block.size)}
    used = {block.b + step for block in blocks for step in range(block.size)}
    rest = [text for place, text in enumerate(segments) if text and place not in used]
    marked = [
        part
        for place, line in enumerate(lines)
        for part in ([line] if place in kept else _ends(line, rest, why))
    ]
    context = [line for line in marked if line.part == "context"]
    return _ordered(heard, draft, context, [line for line in marked if line.part == "prompt"])


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


def _label(line: Line) -> str:
    return f"{line.role}: " if line.labelled else ""


def _ends(line: Line, rest: list[str], why: str) -> list[Line]:
    """Split a line that was cut into the ends that the query holds, and what is between.

    What is found is taken out of ``rest``, the lines of the query not yet accounted for.
    """
    text, label = _label(line) + line.text, len(_label(line))
    first = _taken([piece for piece in rest if text.startswith(piece)], rest)
    last = _taken([piece for piece in rest if text.endswith(piece)], rest)
    head = max(0, first - label)
    end = max(head, len(line.text) - last)
    parts = ((line.text[:head], ""), (line.text[head:end], why), (line.text[end:], ""))
    return [
        Line(line.message, line.role, line.part, part, reason, line.labelled and place == 0)
        for place, (part, reason) in enumerate(parts)
        if part
    ]


def _taken(fitting: list[str], rest: list[str]) -> int:
    """Take the longest piece that fits out of the rest; return its length, 0 for none."""
    if not fitting:
        return 0
    longest = max(fitting, key=len)
    rest.remove(longest)
    return len(longest)
