"""Ranked documents as hits: texts from the database, snippets around the words."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..pify.snippet import first_place, snippet
from ..pify.terms import query_terms, terms
from .hits import SessionHit
from .rank_pify import Ranked
from .schema import FIELDS, loaded

__all__ = ["fetch"]

_FILE = ("path", "session", "session_id", "agent", "cwd", "project")
_COLUMNS = ", ".join(
    [
        *(f"d.{name}" for name in FIELDS),
        *(f"f.{name}" for name in _FILE),
        *("ifnull(d.title, f.title)", "d.line", "d.entry", "d.role", "d.time", "d.active"),
        "f.is_subagent",
    ]
)
_ROW = (
    f"SELECT {_COLUMNS}, s.text = '', f.id FROM docs d JOIN files f ON f.id = d.file "
    "LEFT JOIN shaped s ON s.id = d.id WHERE d.id = ?"
)


class _Wanted(NamedTuple):
    words: Sequence[str]
    fields: Sequence[str]
    units: float
    keys: Mapping[int, str]


def _place(texts: dict[str, str], words: Sequence[str]) -> str:
    """Return the field with most of the words; of equals the first, of none the first with text."""

    def found(field: str) -> int:
        return sum(first_place(texts[field], (word,)) >= 0 for word in words)

    return max(texts, key=found, default=FIELDS[0])


def fetch(
    connection: sqlite3.Connection,
    ranked: Sequence[Ranked],
    query: str,
    *,
    fields: Sequence[str],
    units: float,
    keys: Mapping[int, str],
) -> list[SessionHit]:
    """Return the hits for ranked documents, with ``units`` long snippets; ``keys`` names the files."""
    wanted = _Wanted(query_terms(query), fields, units, keys)
    return [
        _hit(connection.execute(_ROW, (item.id,)).fetchone(), rank, item, wanted)
        for rank, item in enumerate(ranked, start=1)
    ]


def _hit(row: Sequence[Any], rank: int, item: Ranked, wanted: _Wanted) -> SessionHit:
    values: list[Any] = [
        loaded(value) if isinstance(value, (str, bytes)) else value for value in row
    ]
    cut = len(FIELDS)
    texts = {
        name: text
        for name, text in zip(FIELDS, values[:cut], strict=True)
        if text and name in wanted.fields
    }
    path, session, session_id, agent, cwd, project = values[cut : cut + len(_FILE)]
    title, line, entry, role, time, active, is_subagent, is_aside, file = values[cut + len(_FILE) :]
    if is_aside and "meta" in texts:
        texts.pop("text", None)  # nobody said it: "pify" sees it all the same, the fields do not
    field = _place(texts, wanted.words)
    text = texts.get(field, "")
    return SessionHit(
        rank=rank,
        session=session,
        title=title,
        path=path,
        time=time,
        role=role or "",
        snippet=snippet(text, wanted.words, wanted.units),
        matched=item.matched
        or len(set(terms("\n".join(texts.values()))).intersection(wanted.words)),
        score=item.score,
        field=field,
        line_no=line,
        text=text,
        agent=agent,
        project=project,
        cwd=cwd,
        session_id=session_id,
        entry_id=entry,
        on_active_path=bool(active),
        is_subagent=bool(is_subagent),
        key=wanted.keys.get(file, ""),
    )
