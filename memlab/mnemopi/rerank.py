"""From scores to a list: summaries, coverage, and maximal marginal relevance."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..text.javascript import trim
from .lexicon import tokenize
from .records import Record

__all__ = ["by_score", "cover", "hides", "mmr", "similarity", "without_summaries"]


def by_score(records: Sequence[Record]) -> list[Record]:
    """Sort by score, best first; equal scores keep their order."""
    return sorted(records, key=lambda record: -record.score)


def _summarised(record: Record) -> set[str]:
    listed = record.fields.get("summary_of")
    return {trim(part) for part in listed.split(",")} if isinstance(listed, str) else set()


def hides(record: Record, records: Sequence[Record]) -> list[Record]:
    """Return the working records that hide a summary: those it is the summary of."""
    if record.fields["tier"] != "episodic":
        return []
    ids = _summarised(record)
    return [
        other
        for other in records
        if other.fields["tier"] == "working" and other.fields["id"] in ids
    ]


def without_summaries(records: Sequence[Record]) -> list[Record]:
    """Drop each summary of which any source row was found too."""
    working = {record.fields["id"] for record in records if record.fields["tier"] == "working"}
    return [
        record
        for record in records
        if record.fields["tier"] != "episodic" or not (_summarised(record) & working)
    ]


def cover(
    records: Sequence[Record], terms: Collection[str], limit: float, gain: float
) -> list[Record]:
    """Pick records one by one, each new query word in a text adding ``gain`` to its score.

    Repeats of a new word count again, as in the engine. First wins ties.
    """
    wanted = set(terms)
    words = {
        id(record): [w for w in tokenize(str(record.fields["content"])) if w in wanted]
        for record in records
    }
    left, covered = list(records), set[str]()
    picked: list[Record] = []
    while left and len(picked) < limit:
        best = max(
            left,
            key=lambda record: (
                record.score + gain * sum(word not in covered for word in words[id(record)])
            ),
        )
        left = [record for record in left if record is not best]
        picked.append(best)
        covered.update(words[id(best)])
    return picked


def similarity(left: Record, right: Record) -> float:
    """Return the Jaccard similarity of two shown texts, by blank-separated words."""
    if not left.bag or not right.bag:
        return 0.0
    common = len(left.bag & right.bag)
    return common / (len(left.bag) + len(right.bag) - common)


def mmr(records: Sequence[Record], weight: float, limit: float) -> list[Record]:
    """Order by maximal marginal relevance: weight * score - (1 - weight) * similarity.

    Similarity is the greatest to any record already picked. The first is the
    best by score; the result is in the order of picking (Carbonell and
    Goldstein 1998, as the engine applies it).
    """
    left, limit = by_score(records), int(limit)
    if limit <= 0 or len(left) <= 1:
        return left[: max(0, limit)]
    picked = [left.pop(0)]
    closest = [similarity(record, picked[0]) for record in left]
    while left and len(picked) < limit:
        values = [
            weight * record.score - (1 - weight) * close
            for record, close in zip(left, closest, strict=True)
        ]
        place = max(range(len(left)), key=values.__getitem__)
        chosen = left.pop(place)
        closest.pop(place)
        picked.append(chosen)
        closest = [
            max(close, similarity(record, chosen))
            for record, close in zip(left, closest, strict=True)
        ]
    return picked
