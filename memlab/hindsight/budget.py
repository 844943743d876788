"""What a limit of tokens keeps of a ranking, and what it skips.

The server goes down the ranking and keeps what still fits; what does not is
skipped, and shorter ones after it may still enter. Where nothing fits, the best
one is kept whole. So the answer is no prefix of the ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..frames import Column, to_frame
from ..text.tokens import Vocabulary, count_tokens

__all__ = ["fitting", "skipped_frame"]

_COLUMNS = (
    Column("rank", "int"), Column("id"), Column("tokens", "int"), Column("room", "int"),
    Column("kept", "bool"), Column("text"),
)  # fmt: skip


def fitting(sizes: Sequence[int], max_tokens: int) -> list[int]:
    """Return the places (from 0) of a ranking that a limit keeps, given their sizes in tokens."""
    if max_tokens <= 0:
        return []
    kept, room = [], max_tokens
    for place, size in enumerate(sizes):
        if size <= room:
            kept.append(place)
            room -= size
    return kept if kept or not sizes else [0]


def skipped_frame(
    ranking: Sequence[tuple[str, str]],
    kept: Sequence[str],
    max_tokens: int,
    vocabulary: Vocabulary = "o200k_base",
) -> pd.DataFrame:
    """Return the ranking down to the last kept memory, with what was skipped on the way.

    ``ranking`` are ids and texts, best first. ``room`` is what was left of the
    limit when it was a memory's turn, ``tokens`` what it would have needed.
    """
    sizes = count_tokens([text for _, text in ranking], vocabulary)
    inside, room = set(kept), max_tokens
    rows: list[dict[str, Any]] = []
    for place, ((key, text), size) in enumerate(zip(ranking, sizes, strict=True), start=1):
        here = key in inside
        rows.append(
            {"rank": place, "id": key, "tokens": size, "room": room, "kept": here, "text": text}
        )
        room -= size if here else 0
    return to_frame(rows, _COLUMNS)
