"""The ranking of @pify/recall: how many distinct words of the query, then the newest."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...text.javascript import trim, well_formed
from ..pify.terms import query_terms
from ..pify.units import spread
from .corpus import Corpus
from .filters import Limits
from .postings import numbers_of
from .schema import loaded

__all__ = ["Ranked", "rank_pify"]

Numbers = npt.NDArray[np.int64]
MIN_GRAM = 3


class Ranked(NamedTuple):
    """A document's id, its score, and how many words of the query it holds."""

    id: int
    score: float
    matched: int


def _matched(connection: sqlite3.Connection, corpus: Corpus, words: list[str]) -> Numbers:
    matched = np.zeros(len(corpus.live), np.int64)
    for word in words:
        numbers = numbers_of(connection, word)
        matched[numbers[numbers < matched.size]] += 1
    matched[~corpus.live] = 0
    return matched


def _texts(connection: sqlite3.Connection, needle: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of the documents that may hold a needle."""
    if len(needle) >= MIN_GRAM and needle == well_formed(needle):
        grams = {needle[at : at + MIN_GRAM].replace('"', '""') for at in range(len(needle) - 2)}
        match = " AND ".join(f'"{gram}"' for gram in sorted(grams) if "\0" not in gram)
        sql = "SELECT d.number, d.text FROM grams g CROSS JOIN docs d ON d.id = g.rowid WHERE grams MATCH ?"
        values: tuple[object, ...] = (match,)
    else:
        match, values, sql = "all", (), "SELECT d.number, d.text FROM docs d WHERE 1"
    if match:
        for number, text in connection.execute(f"{sql} AND d.number IS NOT NULL", values):
            yield number, loaded(text) or ""


def _holding(connection: sqlite3.Connection, corpus: Corpus, query: str) -> Numbers:
    """Mark the documents whose text holds the whole query, in any case of letters."""
    needle = trim(query).lower()
    units = spread(needle)
    holds = np.zeros(len(corpus.live), np.int64)
    if not needle:
        return holds
    for number, text in _texts(connection, needle):
        if units in spread(text.lower()):
            holds[number] = 1
    return holds


def _allowed(
    connection: sqlite3.Connection, corpus: Corpus, limits: Limits
) -> npt.NDArray[np.bool_]:
    allowed = corpus.live
    condition, values = limits.filters.condition()
    if condition:
        rows = connection.execute(
            "SELECT d.number FROM docs d JOIN files f ON f.id = d.file "
            f"WHERE d.number IS NOT NULL {condition}",
            values,
        )
        allowed = np.zeros(len(corpus.live), np.bool_)
        allowed[np.fromiter((row[0] for row in rows), np.int64)] = True
    return allowed if limits.excluded is None else allowed & (corpus.files != limits.excluded)


def _best(order: Numbers, limit: int) -> Numbers:
    """Return the places of the highest values, highest first."""
    (places,) = np.nonzero(order)
    values = order[places]
    if limit < values.size:
        keep = np.argpartition(values, values.size - limit)[values.size - limit :]
        places, values = places[keep], values[keep]
    ranked: Numbers = places[np.argsort(-values)]
    return ranked[:limit]


def rank_pify(
    connection: sqlite3.Connection, corpus: Corpus, query: str, limits: Limits
) -> list[Ranked]:
    """Return the best documents.

    Where no document has any word of the query, those that hold the query as a whole
    count instead, all alike. Filters choose among what was found so.
    """
    matched = _matched(connection, corpus, query_terms(query))
    if not matched.any():
        matched = _holding(connection, corpus, query)
    matched = np.where(_allowed(connection, corpus, limits), matched, 0)
    order = np.where(matched > 0, matched * (len(matched) + 1) + corpus.recency, 0)
    return [
        Ranked(int(corpus.ids[place]), float(matched[place]), int(matched[place]))
        for place in _best(order, max(1, math.ceil(limits.size)))
    ]
