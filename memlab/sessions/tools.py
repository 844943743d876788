"""The agent's tools and commands of session search, with their exact answers."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import InvalidTime
from ..text.javascript import number_text, trim
from .index.index import SessionIndex
from .index.options import SearchOptions
from .pify.auto import AUTO_HITS, recall_block, worth_it
from .pify.history import search_history
from .pify.texts import history_text

__all__ = ["ToolAnswer", "auto_recall", "recall_command", "session_history", "session_search"]

Live = str | Path | None
MAX_LIMIT = 25
MIN_CONTEXT, MAX_CONTEXT = 40, 1000


@dataclass(frozen=True)
class ToolAnswer:
    """What a tool answers the model: its text, details for the agent, whether it failed."""

    text: str
    details: Mapping[str, int] = field(default_factory=dict)
    is_error: bool = False


def _text(value: object) -> str:
    """Return a parameter as JavaScript's ``String`` gives it, trimmed; null is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return trim(number_text(value) if isinstance(value, (int, float)) else str(value))


def _bounded(value: float | None, default: int, low: int, high: int) -> int:
    """Round half up and keep within bounds; null is the default."""
    return min(max(math.floor((default if value is None else value) + 0.5), low), high)


def _live(live: Live) -> str | None:
    """Return the running session's log: as given, else as the agent's environment names it."""
    found = os.environ.get("PI_SESSION_FILE") if live is None else str(live)
    return found or None


_EMPTY = ToolAnswer("Empty query.", is_error=True)


def session_search(
    index: SessionIndex, query: object = None, limit: float | None = None, *, live: Live = None
) -> ToolAnswer:
    """Answer as the tool ``session_search``; the index is brought up to date first.

    ``live`` is the running session's log, by default what ``PI_SESSION_FILE`` names.
    """
    words = _text(query)
    if not words:
        return _EMPTY
    index.sync(live=_live(live))
    options = SearchOptions(limit=_bounded(limit, 10, 1, MAX_LIMIT), live=_live(live))
    found = index.ranked(words, options)
    return ToolAnswer(found.text, {"count": len(found), "indexed": found.indexed})


def session_history(
    entries: Sequence[object],
    query: object = None,
    limit: float | None = None,
    context: float | None = None,
) -> ToolAnswer:
    """Answer as the tool ``session_history``; ``entries`` are the parsed lines of the branch."""
    words = _text(query)
    if not words:
        return _EMPTY
    hits = search_history(
        entries,
        words,
        _bounded(limit, 8, 1, MAX_LIMIT),
        _bounded(context, 220, MIN_CONTEXT, MAX_CONTEXT),
    )
    text = history_text(words, hits, len(entries))
    return ToolAnswer(text, {"count": len(hits), "entries": len(entries)})


def recall_command(index: SessionIndex, argument: str = "", *, live: Live = None) -> str:
    """Answer as the command ``/recall``: status, reindex, or a search with ten hits.

    ``reindex`` empties the index first.
    """
    wanted = trim(argument)
    if wanted == "reindex":
        index.clear()
        return f"Recall reindexed: {index.sync(live=_live(live)).documents} messages."
    if wanted in ("", "status"):
        report = index.sync(live=_live(live))
        return f"Recall: {report.documents} messages indexed from {report.files} sessions."
    return session_search(index, wanted, live=live).text


def auto_recall(index: SessionIndex, prompt: str, *, live: Live = None) -> str | None:
    """Return the hidden message that a session's first prompt brings, or None.

    The agent asks once per session, at the first prompt, worth it or not; that is the
    caller's to keep. A time that no date can hold makes it say nothing.
    """
    if not worth_it(prompt):
        return None
    index.sync(live=_live(live))
    options = SearchOptions(limit=AUTO_HITS, live=_live(live))
    try:
        return recall_block(list(index.ranked(trim(prompt), options)))
    except InvalidTime:
        return None
