"""Sentences about the traps that a conversation runs into on its way to a query."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ..text.javascript import length, well_formed
from ..text.tags import has_open_block, strip_memory_blocks
from .draft import Draft
from .query import Line
from .spoken import Heard, History
from .words import counted

__all__ = ["cut_notes", "draft_notes"]

_SPOKEN = {"user", "assistant"}
_QUESTION = re.compile(r"[?？]")


def draft_notes(heard: Heard, draft: Draft, history: History) -> Iterator[str]:
    """Yield what is odd about the composed query, before any cut."""
    yield from _repeats(heard, draft)
    yield from _later(heard, draft, history)
    yield from _blocks(heard, draft)
    odd = Counter(said.role for said in draft.context if said.role not in _SPOKEN)
    for role, count in odd.items():
        yield (
            f"{counted(count, 'message')} of role {role} {_is(count)} asked as context; "
            "the agent itself leaves such messages out."
        )


def _repeats(heard: Heard, draft: Draft) -> Iterator[str]:
    said = Counter(gone.why for gone in draft.left_out if gone.place != heard.prompt)
    if count := said["same as the prompt"]:
        yield f"The prompt was said before: {counted(count, 'message')} {_is(count)} left out of the context."


def _later(heard: Heard, draft: Draft, history: History) -> Iterator[str]:
    """Before a compaction the agent does ask what follows its last prompt; when it is new, nothing does."""
    count = sum(said.place > heard.prompt for said in draft.context)
    if count and history != "compaction":
        yield (
            f"{counted(count, 'message')} after the prompt {_is(count)} asked as context; when the "
            "prompt was new, the agent did not have what follows it."
        )


def _blocks(heard: Heard, draft: Draft) -> Iterator[str]:
    again = any(said.place == heard.prompt for said in draft.context)
    if strip_memory_blocks(draft.latest) != draft.latest:
        copy = " Without the block it is asked once more, as context." if again else ""
        yield f"The prompt holds a block of memories, which is asked as it is.{copy}"
    open_ones = [said for said in draft.context if has_open_block(said.text)]
    if open_ones or has_open_block(draft.latest):
        yield "A block of memories is never closed, so it is not taken out."


def cut_notes(draft: Draft, lines: tuple[Line, ...], query: str) -> Iterator[str]:
    """Yield what the cut did to the query."""
    context = [line for line in lines if line.part == "context" and line.kept]
    if context and not context[0].labelled:
        yield "The first kept line has lost its role: lines are dropped, not messages."
    lost = [line for line in lines if line.part == "prompt" and not line.kept]
    if lost:
        units = sum(length(line.text) for line in lost)
        asked = " The question mark is in it." if _QUESTION.search(lost[-1].text) else ""
        yield f"{counted(units, 'unit')} of the prompt {_is(units)} not asked.{asked}"
    elif draft.context and not context:
        size = length(draft.entries[-1].rsplit("\n", 1)[-1])
        yield (
            f"No context is asked: its last line alone ({counted(size, 'unit')}) does not fit "
            "beside the prompt."
        )
    if well_formed(query) != query:
        yield "The query holds half of a character: it was cut in the middle of one."


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
