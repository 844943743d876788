"""Whether full text, vectors or the scan of the newest rows brought a row in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..lexicon import fts_query
from ..visibility import alive, newest_first
from .subject import Subject

__all__ = ["Matching", "matching"]

_INDEXES = {
    "working": ("fts_working", "id"),
    "episodic": ("fts_episodes", "rowid"),
}
# The texts of the second one are those of the table itself: what it has indexed stands elsewhere.
_INDEXED = {
    "working": "SELECT 1 FROM fts_working WHERE id = ?",
    "episodic": "SELECT 1 FROM fts_episodes_docsize WHERE id = ?",
}


@dataclass(frozen=True)
class Matching:
    """How a row and the words of a query met.

    ``asked`` are the words full text was asked for, ``cut`` those beyond its
    cap; ``holds`` are the asked ones that the row's indexed text holds,
    ``missed`` the cut ones that it holds. ``place`` is its place among the
    matches (from 1) of ``of``.
    """

    asked: tuple[str, ...]
    cut: tuple[str, ...]
    holds: tuple[str, ...]
    missed: tuple[str, ...]
    indexed: bool
    place: int | None
    of: int

    @property
    def values(self) -> dict[str, Any]:
        """Return everything by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def _holds(subject: Subject, term: str) -> bool:
    table, column = _INDEXES[subject.tier.name]
    return bool(
        subject.snapshot.matching(
            f"SELECT 1 FROM {table} WHERE {table} MATCH ? AND {column} = ?",
            (fts_query([term], "", 1), subject.place),
        )
    )


def _place(subject: Subject) -> tuple[int | None, int]:
    """Return the row's place among all matches of its tier, without any limit."""
    living = alive(subject.query.timing.now, "base")
    match = subject.query.words.fts(subject.query.options.term_cap)
    rows = subject.snapshot.matching(
        subject.tier.full_text.format(alive=living.sql), (match, *living.params, -1)
    )
    keys = [row["key"] for row in rows]
    return (keys.index(subject.place) + 1 if subject.place in keys else None), len(keys)


def matching(subject: Subject) -> Matching:
    """Ask full text again, for this row alone."""
    terms, cap = subject.query.words.terms, subject.query.options.term_cap
    asked, rest = terms[:cap], terms[cap:]
    indexed = subject.snapshot.rows(_INDEXED[subject.tier.name], (subject.place,))
    place, count = _place(subject)
    return Matching(
        asked,
        rest,
        tuple(term for term in asked if _holds(subject, term)),
        tuple(term for term in rest if _holds(subject, term)),
        bool(indexed),
        place,
        count,
    )


def newest_place(subject: Subject) -> int:
    """Return the row's place among the visible rows of its tier, newest first, from 1."""
    where = subject.query.where
    rows = subject.snapshot.rows(
        f"SELECT id FROM {subject.tier.table} WHERE {where.sql}"
        f" ORDER BY {newest_first(subject.query.options)}",
        where.params,
    )
    return [row["id"] for row in rows].index(subject.row["id"]) + 1
