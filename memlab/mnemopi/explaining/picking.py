"""The picks of coverage and of MMR, replayed for one record that was not picked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..lexicon import tokenize
from ..records import Record
from ..rerank import similarity

__all__ = ["Lost", "lost_to_coverage", "lost_to_mmr"]


@dataclass(frozen=True, slots=True)
class Lost:
    """The last pick that a record lost: to whom, and both values.

    ``twin`` is the picked record that it resembles most, ``alike`` how much (0 to 1).
    """

    winner: Record
    value: float
    needed: float
    twin: Record | None = None
    alike: float = 0.0


def lost_to_mmr(record: Record, picked: Sequence[Record], weight: float) -> Lost | None:
    """Replay maximal marginal relevance; None where nothing was picked before the last pick."""
    if not picked:
        return None
    last, before = picked[-1], picked[:-1]

    def closest(other: Record) -> tuple[float, Record | None]:
        best = max(before, key=lambda one: similarity(other, one), default=None)
        return (0.0, None) if best is None else (similarity(other, best), best)

    alike, twin = closest(record)
    needed, _ = closest(last)
    return Lost(
        last,
        weight * record.score - (1 - weight) * alike,
        weight * last.score - (1 - weight) * needed,
        twin,
        alike,
    )


def lost_to_coverage(
    record: Record, picked: Sequence[Record], terms: Sequence[str], gain: float
) -> Lost | None:
    """Replay the coverage of query words up to the last pick."""
    if not picked:
        return None
    wanted = set(terms)
    covered = {
        word
        for one in picked[:-1]
        for word in tokenize(str(one.fields["content"]))
        if word in wanted
    }

    def value(one: Record) -> float:
        words = tokenize(str(one.fields["content"]))
        return one.score + gain * sum(word in wanted and word not in covered for word in words)

    return Lost(picked[-1], value(record), value(picked[-1]))
