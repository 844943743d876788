"""Recall of extracted facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..text.javascript import number, number_text, round4, trim
from .candidates import rank_shares
from .lexicon import QueryWords, TextWords, fact_groups, relevance
from .options import RecallOptions
from .records import Record
from .snapshot import Row, Snapshot
from .visibility import fact_owner

__all__ = ["FactSearch", "search_facts", "searchable"]

_FIELDS = (
    "facts.rowid AS place, facts.fact_id, facts.subject, facts.predicate, facts.object,"
    " facts.timestamp, facts.confidence"
)
_GENERIC = frozenset({"entity", "fact"})


def _matched(
    snapshot: Snapshot, match: str, session: str, limit: float, faults: list[str]
) -> list[Row]:
    owner = fact_owner(session, snapshot.facts_have_scope)
    return snapshot.matching(
        f"SELECT {_FIELDS}, rank FROM fts_facts JOIN facts ON facts.rowid = fts_facts.rowid"
        f" WHERE fts_facts MATCH ? AND {owner.sql} ORDER BY rank, facts.rowid LIMIT ?",
        (match, *owner.params, limit),
        faults,
    )


def _containing(
    snapshot: Snapshot, terms: tuple[str, ...], session: str, limit: float
) -> list[Row]:
    """Scan for facts that contain a term anywhere, where full text found nothing."""
    owner = fact_owner(session, snapshot.facts_have_scope)
    # The cast, because some builds of SQLite, not the engine's, find no bytes by LIKE.
    names = ("subject", "predicate", "object")
    holds = " OR ".join(f"CAST({name} AS TEXT) LIKE ?" for name in names)
    found: dict[int, Row] = {}
    for term in terms:
        like = f"%{term}%"
        rows = snapshot.rows(
            f"SELECT {_FIELDS}, 0 AS rank FROM facts WHERE ({holds}) AND {owner.sql}"
            " ORDER BY facts.rowid LIMIT ?",
            (like, like, like, *owner.params, limit),
        )
        for row in rows:
            found.setdefault(row["place"], row)
    return list(found.values())


def searchable(row: Row) -> str:
    """Return the text by which a fact is judged."""
    subject, predicate, value = (_text(row[name]) for name in ("subject", "predicate", "object"))
    if not trim(value):
        return trim(f"{subject} {predicate}")
    parts = [
        part for part in (subject, predicate) if trim(part) and trim(part).lower() not in _GENERIC
    ]
    return " ".join([*parts, trim(value)])


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _sql_order(value: object) -> tuple[int, Any]:
    """Return a key that orders values as SQLite does: null, numbers, text, bytes."""
    if isinstance(value, (int, float)):
        return 1, value
    if isinstance(value, str):
        return 2, value.encode()
    return (0, 0) if value is None else (3, value)


def _record(row: Row, share: float, words: QueryWords, options: RecallOptions) -> Record:
    text = searchable(row)
    confidence = number(row["confidence"], 0.5)
    groups = fact_groups(words.query, text)
    keyword = relevance(groups, TextWords(text), words.normal)
    weight = (
        options.fact_relevance_base
        + options.fact_confidence_share * confidence
        + options.fact_fts_share * share
    )
    shown, full_text, importance = round4(keyword), round4(share), round4(confidence)
    key, subject, predicate = (_text(row[name]) for name in ("fact_id", "subject", "predicate"))
    fields = {
        "id": key,
        "content": _text(row["object"]) or trim(f"{subject} {predicate}"),
        "score": round4(keyword * weight),
        "fact_id": key,
        "subject": subject,
        "predicate": predicate,
        "timestamp": row["timestamp"] if isinstance(row["timestamp"], str) else None,
        "tier_label": "fact",
        "tier": "fact",
        "source": "facts",
        "keyword_score": shown,
        "fts_score": full_text,
        "importance_score": importance,
        "explanation": f"fact keyword={number_text(shown)}",
        "voice_scores": {"keyword": shown, "fts": full_text, "importance": importance},
    }
    return Record(fields)


@dataclass(frozen=True)
class FactSearch:
    """What became of the facts: all that were looked at, and those that were kept.

    ``scanned`` tells that full text found none and the facts were scanned for
    the first terms. ``room`` is how many may be kept; ``faults`` is why full
    text could not be searched.
    """

    room: int
    scanned: bool = False
    matched: tuple[Record, ...] = ()
    kept: tuple[Record, ...] = ()
    faults: tuple[str, ...] = ()


def search_facts(
    snapshot: Snapshot, query: str, session: str, limit: float, options: RecallOptions
) -> FactSearch:
    """Find the facts that answer a query, best first.

    Full text over subject, predicate and object; where that finds nothing, a
    scan for the first terms. Facts know no recency, veracity or validity.
    """
    if limit <= 0:
        return FactSearch(0)
    words = QueryWords(query)  # synonyms always: the engine has no switch here
    faults: list[str] = []
    rows = _matched(snapshot, words.fts(options.term_cap), session, 3 * limit, faults)
    scanned = not rows
    if scanned:
        rows = _containing(snapshot, words.terms[: options.fact_scan_terms], session, limit)
    shares = {
        row["place"]: share
        for row, share in zip(rows, rank_shares([r["rank"] for r in rows]), strict=True)
    }
    rows.sort(key=lambda row: row["place"])
    rows.sort(key=lambda row: _sql_order(row["confidence"]), reverse=True)
    records = [_record(row, shares[row["place"]], words, options) for row in rows]
    ranked = sorted(records, key=lambda record: -record.score)
    kept = [record for record in ranked if record.score > 0][: int(limit)]
    return FactSearch(int(limit), scanned, tuple(ranked), tuple(kept), tuple(faults))
