"""The score of a candidate and all its parts."""

from __future__ import annotations

from dataclasses import dataclass

from ..text.javascript import number, round4
from .candidates import Candidate
from .clock import Timing, decay
from .intent import Weights
from .lexicon import QueryWords, TextWords, current_factor, relevance
from .options import RecallOptions

__all__ = ["Judge", "Scored", "threshold"]


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score (four decimals) and the parts of it.

    ``keyword`` is the lexical relevance, ``base`` the score before time, tier
    and veracity; ``passed`` tells whether it reached the threshold at all.
    """

    candidate: Candidate
    score: float
    keyword: float
    importance: float
    recency: float
    temporal: float
    base: float
    factor: float
    passed: bool


def threshold(terms: int, options: RecallOptions) -> float:
    """Return the least relevance for a query that has so many words."""
    levels = options.min_relevance
    return levels[min(max(terms, 1), len(levels)) - 1]


@dataclass(frozen=True)
class Judge:
    """Scores candidates for one query."""

    words: QueryWords
    weights: Weights
    timing: Timing
    options: RecallOptions

    def score(self, candidate: Candidate, text: TextWords) -> Scored:
        """Return a candidate's score and its parts."""
        options, row = self.options, candidate.row
        keyword = relevance(self.words.groups, text, self.words.normal)
        least = threshold(len(self.words.terms), options)
        passed = not (keyword < least and candidate.dense < options.dense_floor)
        importance = number(row["importance"], 0.5)
        recency = decay(row["timestamp"], self.timing.at, options.recency_hours)
        base = self._base(candidate, keyword, importance)
        score = base * ((1 - options.recency_share) + options.recency_share * recency)
        temporal = 0.0
        if self.timing.temporal_weight > 0:
            hours, at = options.temporal_halflife, self.timing.at
            temporal = max(
                decay(row["timestamp"], at, hours), decay(row["event_date"], at, 2 * hours)
            )
            score *= 1 + self.timing.temporal_weight * temporal
        if candidate.tier == "episodic":
            score *= self._tier_factor(row["tier"])
        factor = self._trust(row["veracity"]) * self._currency(text)
        return Scored(
            candidate, round4(score * factor), keyword, importance, recency, temporal, base,
            factor, passed,
        )  # fmt: skip

    def _base(self, candidate: Candidate, keyword: float, importance: float) -> float:
        options, weights = self.options, self.weights
        if candidate.tier == "episodic":
            mixed = (
                candidate.dense * weights.vec
                + candidate.fts * weights.fts
                + importance * weights.importance
            )
            return max(mixed, options.episodic_keyword_share * keyword)
        best = max(keyword, options.fts_keyword_share * candidate.fts)
        base = (
            best * ((1 - weights.importance) * options.working_keyword_share)
            + importance * weights.importance
            + best * best * options.keyword_square
        )
        if candidate.dense > 0:
            share = options.working_dense_share
            return base * (1 - share) + candidate.dense * share
        return base

    def _tier_factor(self, tier: object) -> float:
        first, second, other = self.options.tier_factors
        return {1.0: first, 2.0: second}.get(number(tier, 1.0), other)

    def _trust(self, veracity: object) -> float:
        known = self.options.veracity_factors
        default = self.options.veracity_default
        return known.get(veracity, default) if isinstance(veracity, str) else default

    def _currency(self, text: TextWords) -> float:
        if not self.timing.current_sensitive:
            return 1.0
        return current_factor(
            text.lowered, self.options.current_factor, self.options.outdated_factor
        )
