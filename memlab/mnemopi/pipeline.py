"""Recall from beginning to end, keeping what every stage did."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass, replace

from ..errors import RecallError
from ..text.javascript import length
from .candidates import TIERS, WORKING, Plan, TierSearch, search_tier
from .clock import Timing, timing
from .facts import FactSearch, search_facts
from .intent import Intent, Weights, biased, classify, normalize
from .lexicon import QueryWords
from .options import RecallOptions
from .records import Record, memory_record
from .rerank import by_score, cover, mmr, without_summaries
from .scoring import Judge, Scored
from .snapshot import Snapshot
from .visibility import Condition, visible

__all__ = ["Query", "Run", "prepare", "run_recall"]

_DEFAULT_WEIGHTS = Weights(0.5, 0.3, 0.2)


@dataclass(frozen=True)
class Query:
    """A query made ready: its words, its instants, its weights, and which rows it may see."""

    text: str
    options: RecallOptions
    session: str
    words: QueryWords
    timing: Timing
    intent: Intent
    weights: Weights
    where: Condition


@dataclass(frozen=True)
class Run:
    """One recall, stage by stage.

    ``scored`` are all candidates; ``ranked`` those above the threshold by
    score; then what summaries, coverage and MMR left; ``facts`` what was mixed
    in, ``fact_search`` how it was found; ``final`` the list that is returned.
    ``room`` is how many memories the pass over the tiers might keep.
    """

    query: Query
    searches: tuple[TierSearch, ...] = ()
    scored: tuple[Scored, ...] = ()
    ranked: tuple[Record, ...] = ()
    unhidden: tuple[Record, ...] = ()
    covered: tuple[Record, ...] = ()
    memories: tuple[Record, ...] = ()
    facts: tuple[Record, ...] = ()
    final: tuple[Record, ...] = ()
    fact_search: FactSearch | None = None
    room: float = 0


def prepare(text: str, options: RecallOptions, bank: str) -> Query:
    """Take a query apart; ``bank`` is the session where the options name none."""
    session = bank if options.session is None else options.session
    channel = session if options.channel is None else options.channel
    # Asked for nothing, the engine does not even read the query time.
    timed = options if options.limit > 0 else options.model_copy(update={"query_time": None})
    when = timing(text, timed)
    intent = classify(text)
    asked = Weights(options.vec_weight, options.fts_weight, options.importance_weight)
    weights = normalize(asked, _DEFAULT_WEIGHTS)
    return Query(
        text,
        options,
        session,
        QueryWords(text, options.synonyms),
        when,
        intent,
        biased(weights, intent.bias) if options.uses("intent") else weights,
        visible(options, session, channel, when.now),
    )


def _recall_memories(snapshot: Snapshot, query: Query, limit: float) -> Run:
    """Run the engine's one pass over both tiers, up to ``limit`` memories."""
    if limit <= 0:
        return Run(query)
    options, words = query.options, query.words
    reach = max(options.candidate_factor * limit, options.candidate_floor)
    plan = Plan(words.fts(options.term_cap), query.where, query.timing.now, reach, options)
    tiers = [tier for tier in TIERS if tier is not WORKING or options.include_working]
    searches = tuple(search_tier(snapshot, tier, plan) for tier in tiers)
    judge = Judge(words, query.weights, query.timing, options)
    scored = tuple(
        judge.score(candidate, snapshot.words(candidate.text))
        for search in searches
        for candidate in search.candidates
    )
    ranked = by_score(
        [memory_record(item, options.preview_chars) for item in scored if item.passed]
    )
    unhidden = without_summaries(ranked) if options.hide_summaries else ranked
    covered = unhidden
    broad = len(words.terms) >= options.coverage_min_terms
    if query.text and broad and len(unhidden) > limit:
        covered = cover(unhidden, words.terms, limit, options.coverage_gain)
    diverse = options.uses("mmr") and len(covered) > 1
    memories = mmr(covered, options.mmr_lambda, limit) if diverse else covered[: int(limit)]
    return Run(
        query, searches, scored, tuple(ranked), tuple(unhidden), tuple(covered), tuple(memories),
        final=tuple(memories), room=limit,
    )  # fmt: skip


def _fact_share(limit: int) -> int:
    """Return how many facts a recall of ``limit`` hits mixes in before it reranks."""
    return min(limit, max(3, math.ceil(limit / 2))) if limit > 0 else 0


def run_recall(snapshot: Snapshot, query: Query) -> Run:
    """Recall as the options say; nothing is written. Raises RecallError where SQLite fails."""
    try:
        return _run(snapshot, query)
    except sqlite3.Error as error:
        raise RecallError(
            f"SQLite could not answer this query of {length(query.text)} units over "
            f"{snapshot.path}: {error}. The engine fails on it too; ask a shorter one."
        ) from error


def _run(snapshot: Snapshot, query: Query) -> Run:
    options = query.options
    limit = options.limit
    if options.mode == "facts":
        found = search_facts(snapshot, query.text, query.session, limit, options)
        return Run(query, facts=found.kept, final=found.kept, fact_search=found)
    if options.mode == "plain":
        return _recall_memories(snapshot, query, limit)
    run = _recall_memories(snapshot, query, max(options.oversample * limit, limit))
    facts = FactSearch(0)
    if options.include_facts:
        share = _fact_share(math.floor(limit))
        facts = search_facts(snapshot, query.text, query.session, share, options)
    final = mmr([*run.memories, *facts.kept], options.mmr_lambda, limit)
    return replace(run, facts=facts.kept, final=tuple(final), fact_search=facts)
