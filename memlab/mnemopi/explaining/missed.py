"""Why a visible row did not become a candidate, in words."""

from __future__ import annotations

from collections.abc import Sequence

from .matched import Matching, newest_place
from .subject import Subject

__all__ = ["how_it_came", "why_unmatched"]

_SHOWN = 14


def _words(words: Sequence[str]) -> str:
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(words[:_SHOWN]) + more


def _by_words(found: Matching, reach: float) -> str:
    if not found.asked:
        return "the query has no word that counts"
    if not found.indexed:
        return "it does not stand in the full-text index"
    if found.place is not None:
        return (
            f"full text takes the best {reach:g} rows of its tier, and it is number {found.place} "
            f"of {found.of}"
        )
    said = f"it holds none of the {len(found.asked)} words asked for ({_words(found.asked)})"
    if found.missed:
        said += (
            f"; it does hold {_words(found.missed)}, but only the first {len(found.asked)} of "
            f"{len(found.asked) + len(found.cut)} words are asked for"
        )
    return said


def _by_vector(subject: Subject, reach: float) -> str | None:
    options = subject.query.options
    if not options.query_vector or subject.search is None:
        return None
    if subject.place in subject.search.dense:
        close = subject.search.dense[subject.place]
        better = sum(value > close for value in subject.search.dense.values())
        return (
            f"its vector ({close:.4f}) is number {better + 1}, and vectors bring the best {reach:g}"
        )
    place = newest_place(subject)
    if place > options.scan_limit:
        return (
            f"vectors are compared for the newest {options.scan_limit} rows of its tier, and it "
            f"is number {place}"
        )
    return "it has no vector that could be compared"


def why_unmatched(subject: Subject, found: Matching) -> str:
    """Say why neither words nor vectors nor the scan brought the row in."""
    options = subject.query.options
    reach = max(options.candidate_factor * subject.run.room, options.candidate_floor)
    if subject.search is not None and subject.search.scanned:
        place = newest_place(subject)
        return (
            f"nothing in its tier matched, so the newest {options.scan_limit} rows were scanned, "
            f"and it is number {place}"
        )
    vector = _by_vector(subject, reach)
    return _by_words(found, reach) + (f"; {vector}" if vector else "")


def how_it_came(subject: Subject, found: Matching) -> str:
    """Say how a candidate came in."""
    scored = subject.scored
    way = scored.candidate.way if scored else "fallback"
    if way == "fts":
        return f"by words: {_words(found.holds)}"
    if way == "vec":
        return "by its vector"
    return "by the scan of the newest rows, for nothing in its tier matched"
