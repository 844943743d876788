"""Results of several recalls made one list: same memories once, best first, ties as the agent's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import TypeVar

from ...models import Hit
from ...text.collation import compare as compare_texts
from ...text.collation import is_exact

__all__ = ["compare_hits", "in_order", "merged", "uncertain_ties"]

H = TypeVar("H", bound=Hit)


def compare_hits(left: Hit, right: Hit) -> int:
    """Compare as the agent does: higher score, then later timestamp, then text.

    Negative where ``left`` comes first. Times and texts are compared as
    ``localeCompare`` does.
    """
    difference = (right.score or 0.0) - (left.score or 0.0)
    if difference < 0 or difference > 0:  # neither, where a score is no number
        return 1 if difference > 0 else -1
    return compare_texts(right.timestamp or "", left.timestamp or "") or compare_texts(
        left.text, right.text
    )


def merged(hits: Iterable[H]) -> list[H]:
    """Keep each memory once: the same id, or else the same text; the better one stays.

    It stays in the place of the first, and answers to the ids and texts of both.
    """
    kept: list[H] = []
    by_id: dict[str, int] = {}
    by_text: dict[str, int] = {}
    for hit in hits:
        place = by_id.get(hit.id) if hit.id else None
        if place is None:
            place = by_text.get(hit.text)
        if place is None:
            place = len(kept)
            kept.append(hit)
        elif compare_hits(hit, kept[place]) < 0:
            kept[place] = hit
        if hit.id:
            by_id[hit.id] = place
        by_text[hit.text] = place
    return kept


def in_order(hits: Iterable[H]) -> list[H]:
    """Sort as the agent does; equals stay in the order they came."""
    return sorted(hits, key=cmp_to_key(compare_hits))


def uncertain_ties(hits: Sequence[Hit]) -> int:
    """Count neighbours in an ordered list that nothing but their texts tells apart, and not for sure.

    With PyICU there is none: it decides them as the agent does.
    """
    return sum(
        (left.score or 0.0) == (right.score or 0.0)
        and (left.timestamp or "") == (right.timestamp or "")
        and not is_exact(left.text, right.text)
        for left, right in pairwise(hits)
    )
