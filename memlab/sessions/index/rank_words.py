"""The ranking "bm25": SQLite's full-text search over the fields of the same documents."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...text.javascript import split_blanks, well_formed
from .filters import Limits
from .rank_pify import MIN_GRAM, Ranked
from .schema import loaded
from .shaping import phrase, pieces

__all__ = ["COMMON", "WordsFound", "rank_words"]

COMMON = 4_000
"""A word in more documents than this is left out where the query has rarer ones: it costs
milliseconds and says little."""

CANDIDATES, TIES = 400, 50
_ORDER = "score, d.time DESC, f.session, d.line DESC, f.path"
# Sorted by bm25() SQLite keeps only the best; sorted by the column "rank" it would keep them all.
_QUICK = (
    "SELECT r.id, r.score FROM (SELECT rowid AS id, bm25(words) AS score FROM words "
    "WHERE words MATCH ? ORDER BY score LIMIT ?) r JOIN docs d ON d.id = r.id "
    f"JOIN files f ON f.id = d.file ORDER BY {_ORDER}"
)
_WHOLE = (
    "SELECT d.id, bm25(words) AS score FROM words CROSS JOIN docs d ON d.id = words.rowid "
    f"CROSS JOIN files f ON f.id = d.file WHERE words MATCH ? {{}} ORDER BY {_ORDER} LIMIT ?"
)
_INSIDE = (
    "SELECT d.id, d.text, d.time FROM grams g CROSS JOIN docs d ON d.id = g.rowid "
    "CROSS JOIN files f ON f.id = d.file LEFT JOIN shaped s ON s.id = d.id "
    "WHERE grams MATCH ? AND ifnull(s.text, '-') <> '' {} "
    "ORDER BY d.time DESC, f.session, d.line DESC, f.path LIMIT ?"
)
_BOTH = ("AND", "OR")
_QUOTED = re.compile(r'"([^"]+)"')


class WordsFound(NamedTuple):
    """The ranked documents, and the words that were too common to be asked."""

    ranked: list[Ranked]
    left_out: tuple[str, ...] = ()


def _words(query: str) -> dict[str, str]:
    """Return the words of a query, and its texts in double quotes, with their phrases."""
    quoted = _QUOTED.findall(query)
    return _phrases([*quoted, *split_blanks(_QUOTED.sub(" ", query))])


def _phrases(words: Iterable[str]) -> dict[str, str]:
    return {word: found for word in words if (found := phrase(word)) is not None}


def _parts(query: str, words: Iterable[str]) -> dict[str, str]:
    """Return the parts of words like ``ERR_ZONE_4127``, which count beside the whole.

    What was put in double quotes is wanted as a whole.
    """
    loose = set(split_blanks(_QUOTED.sub(" ", query)))
    return _phrases(piece for word in words if word in loose for piece in pieces(word))


def _in_fields(match: str, fields: Sequence[str]) -> str:
    return f"{{{' '.join(fields)}}} : ({match})"


def _documents(connection: sqlite3.Connection, match: str) -> int:
    """Return in how many documents a phrase is, counted to a little over ``COMMON``."""
    row = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)",
        (match, COMMON + 1),
    ).fetchone()
    return int(row[0])


def _by_words(connection: sqlite3.Connection, match: str, limits: Limits) -> list[Ranked]:
    """Rank by BM25, better ones first; among equals the newer, then the later line."""
    condition, values = limits.condition()
    size = math.ceil(limits.size)
    if not condition:
        rows = connection.execute(_QUICK, (match, size + TIES)).fetchall()
        # Where the best of them end among equals, which of those are newest is not known yet.
        if len(rows) < size + TIES or rows[size - 1][1] < rows[-1][1]:
            return [Ranked(number, -score, 0) for number, score in rows[:size]]
    rows = connection.execute(_WHOLE.format(condition), (match, *values, size)).fetchall()
    return [Ranked(number, -score, 0) for number, score in rows]


def _inside_words(
    connection: sqlite3.Connection, words: Sequence[str], limits: Limits
) -> list[Ranked]:
    """Find texts with these words inside longer ones: most of them first, then the newest.

    Of parts that are in very many texts the newest ``CANDIDATES`` are looked at: of those
    with all the parts, and of those with any.
    """
    needles = [low for word in words if len(low := well_formed(word).lower()) >= MIN_GRAM]
    grams = [
        " AND ".join(
            '"' + needle[at : at + MIN_GRAM].replace('"', '""').replace("\0", " ") + '"'
            for at in range(len(needle) - MIN_GRAM + 1)
        )
        for needle in needles
    ]
    if not grams:
        return []
    condition, values = limits.condition()
    found: dict[int, tuple[int, float]] = {}
    for joined in dict.fromkeys(f" {word} ".join(f"({gram})" for gram in grams) for word in _BOTH):
        for number, text, time in connection.execute(
            _INSIDE.format(condition), (joined, *values, CANDIDATES)
        ):
            lowered = (loaded(text) or "").lower()
            count = sum(needle in lowered for needle in needles)
            if count:
                found[number] = (count, time)
    best = sorted(found, key=found.__getitem__, reverse=True)[: math.ceil(limits.size)]
    return [Ranked(number, 0.0, found[number][0]) for number in best]


def rank_words(
    connection: sqlite3.Connection, query: str, fields: Sequence[str], limits: Limits
) -> WordsFound:
    """Return the best documents by BM25 over the fields; any word of the query may match.

    Text in double quotes is a phrase; a word made of several counts as a whole and by its
    parts. A word that no document has is looked for inside
    longer words of the texts, and what that finds comes after the rest.
    """
    whole = _words(query)
    words = {**_parts(query, whole), **whole}
    counts = {
        word: _documents(connection, _in_fields(match, fields)) for word, match in words.items()
    }
    asked = [word for word, count in counts.items() if 0 < count <= COMMON]
    common = [word for word, count in counts.items() if count > COMMON]
    asked, left_out = (asked, common) if asked else (common, [])
    ranked: list[Ranked] = []
    if asked:
        match = _in_fields(" OR ".join(words[word] for word in asked), fields)
        ranked = _by_words(connection, match, limits)
    missing = [word for word in whole if counts[word] == 0]
    size = math.ceil(limits.size)
    if len(ranked) < size and missing and "text" in fields:
        held = {item.id for item in ranked}
        more = _inside_words(connection, missing, limits)
        ranked += [item for item in more if item.id not in held][: size - len(ranked)]
    return WordsFound(ranked, tuple(left_out))
