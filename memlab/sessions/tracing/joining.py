"""Joining memories with logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ...backends import Backend
from ...models import Memories
from ..logs import SessionLogs
from .matching import Match, Matcher
from .pieces import Piece, memory_pieces, prompts_before, said_pieces
from .result import Provenance

__all__ = ["provenance"]

Found = dict[tuple[str, int], tuple[Match, str | None]]


def provenance(
    memories: Memories | pd.DataFrame | Backend,
    logs: SessionLogs | pd.DataFrame | str | Path,
) -> Provenance:
    """Join memories with the log lines they were made of.

    ``memories`` are a bank, its memories, or their frame (id, text, time, metadata); ``logs``
    are session logs, where they lie, or their common frame. A line is judged by the words it
    shares with the memory, and by session id, working directory and time where the memory
    has them; see ``Match.confidence``. A summary comes from the lines of the memories it
    sums up. Raises InputError for what holds no memories and frames without these columns.
    """
    entries = logs if isinstance(logs, pd.DataFrame) else _entries(logs)
    pieces = list(memory_pieces(memories))
    matcher = Matcher(said_pieces(entries))
    best: Found = {}
    for piece in pieces:
        found = matcher.best(piece) if piece.words else None
        if found is not None:
            best[piece.memory, piece.part] = (found, None)
    _through_sources(pieces, best)
    kept = matcher.remembered(pieces)
    return Provenance(pieces, matcher.said, best, kept, prompts_before(matcher.said))


def _entries(logs: SessionLogs | str | Path) -> pd.DataFrame:
    found = logs if isinstance(logs, SessionLogs) else SessionLogs(logs)
    return found.entries()


def _through_sources(pieces: Sequence[Piece], best: Found) -> None:
    """A summary is what its sources are, if one of them is surer than the summary itself."""
    by_memory: dict[str, list[Match]] = {}
    for (memory, _), (match, _) in best.items():
        by_memory.setdefault(memory, []).append(match)
    for piece in pieces:
        sources = [(match, name) for name in piece.summary_of for match in by_memory.get(name, ())]
        surest = max(sources, key=lambda item: item[0].confidence, default=None)
        own = best.get((piece.memory, piece.part))
        if surest and (own is None or surest[0].confidence > own[0].confidence):
            best[piece.memory, piece.part] = surest
