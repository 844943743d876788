"""What became of an extracted fact."""

from __future__ import annotations

from typing import Any

from ..facts import FactSearch, searchable
from ..lexicon import QueryWords
from ..pipeline import Run
from ..records import Record
from ..rerank import by_score
from ..snapshot import Row, Snapshot
from ..visibility import fact_owner
from .explanation import Explanation, Stage
from .picking import lost_to_mmr

__all__ = ["explain_fact"]


def _answer(
    row: Row,
    stage: Stage,
    sentence: str,
    *,
    details: dict[str, Any] | None = None,
    own: Record | None = None,
    rivals: tuple[tuple[str, Record], ...] = (),
) -> Explanation:
    key = str(row["fact_id"])
    return Explanation(key, "fact", stage, sentence, details=details or {}, own=own, rivals=rivals)


def explain_fact(run: Run, snapshot: Snapshot, key: str) -> Explanation | None:
    """Tell what became of a fact; None if the bank has no such fact."""
    rows = snapshot.rows("SELECT * FROM facts WHERE fact_id = ?", (key,))
    if not rows:
        return None
    row, search = rows[0], run.fact_search
    place = [str(record.fields["id"]) for record in run.final]
    if key in place:
        record = run.final[place.index(key)]
        rank = place.index(key) + 1
        said = f"Returned: number {rank} of {len(place)}, score {record.score:.4f}."
        return Explanation(
            key, "fact", "returned", said, rank=rank, details={"score": record.score}, own=record
        )
    owner = fact_owner(run.query.session, snapshot.facts_have_scope)
    seen = snapshot.rows(
        f"SELECT 1 FROM facts WHERE fact_id = ? AND {owner.sql}", (key, *owner.params)
    )
    if not seen:
        return _answer(
            row, "not visible",
            f"Not visible: the fact belongs to session {row['session_id']!r}, and the recall is "
            f"of session {run.query.session!r}.",
        )  # fmt: skip
    if search is None or not search.room:
        return _answer(
            row, "not visible", "Not visible: this recall asked for no facts (include_facts)."
        )
    return _lost(run, snapshot, row, search)


def _unmatched(run: Run, snapshot: Snapshot, row: Row, search: FactSearch) -> str:
    """Say why full text did not bring a fact in."""
    match = QueryWords(run.query.text).fts(run.query.options.term_cap)
    holds = snapshot.matching(
        "SELECT 1 FROM fts_facts WHERE fts_facts MATCH ? AND rowid ="
        " (SELECT rowid FROM facts WHERE fact_id = ?)",
        (match, row["fact_id"]),
    )
    if holds:
        return f"full text takes the best {3 * search.room} facts, and others match better"
    asked = ", ".join(run.query.words.terms[: run.query.options.term_cap])
    return f"{searchable(row)!a:.80} holds none of the words asked for ({asked})"


def _lost(run: Run, snapshot: Snapshot, row: Row, search: FactSearch) -> Explanation:
    key = row["fact_id"]
    record = next((one for one in search.matched if one.fields["id"] == key), None)
    if record is None:
        return _answer(
            row, "not matched", f"Not matched: {_unmatched(run, snapshot, row, search)}."
        )
    score = f"score {record.score:.4f}"
    if record.score <= 0:
        return _answer(
            row, "below the threshold",
            "Below the threshold: none of the query's words that count for facts is in it.",
            details={"score": record.score}, own=record,
        )  # fmt: skip
    if record not in search.kept:
        last = search.kept[-1]
        return _answer(
            row, "cut by the limit",
            f"Cut by the limit: {search.room} facts are mixed in, and it is number "
            f"{search.matched.index(record) + 1} ({score}).",
            details={"room": search.room, "score": record.score}, own=record,
            rivals=(("the last fact taken", last),),
        )  # fmt: skip
    return _outdone(run, row, record)


def _outdone(run: Run, row: Row, record: Record) -> Explanation:
    pool = by_score([*run.memories, *run.facts])
    place = pool.index(record) + 1
    limit = int(run.query.options.limit)
    lost = lost_to_mmr(record, run.final, run.query.options.mmr_lambda)
    if place <= limit and lost is not None and lost.twin is not None:
        twin = lost.twin.fields["id"]
        return _answer(
            row, "replaced by MMR",
            f"Replaced by MMR: by score it is number {place} of {limit}, but it resembles {twin} "
            f"({lost.alike:.4f}).",
            details={"similar_to": twin, "similarity": lost.alike}, own=record,
            rivals=(("resembles it", lost.twin), ("picked instead", lost.winner)),
        )  # fmt: skip
    weakest = min(run.final, key=lambda one: one.score)
    return _answer(
        row, "outranked",
        f"Outranked: it is number {place} by score ({record.score:.4f}), and {limit} were taken.",
        details={"place": place, "score": record.score}, own=record,
        rivals=(("the weakest taken", weakest),),
    )  # fmt: skip
