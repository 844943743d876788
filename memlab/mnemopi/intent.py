"""What kind of question a query is, and how that shifts the score weights."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .dates import MONTHS, WEEKDAYS, phrase

__all__ = ["GENERAL", "Intent", "Weights", "biased", "classify", "normalize"]


@dataclass(frozen=True, slots=True)
class Weights:
    """The shares of meaning (vec), full text (fts) and importance in a score."""

    vec: float
    fts: float
    importance: float


@dataclass(frozen=True, slots=True)
class Intent:
    """A kind of question and the factors it puts on the weights."""

    category: str
    bias: Weights
    signals: int = 0

    @property
    def confidence(self) -> float:
        """Return the engine's confidence, 0.3 to 1; 0 for a general question."""
        return min(0.3 + 0.15 * self.signals, 1.0) if self.signals else 0.0


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(phrase(pattern) for pattern in patterns)


_KINDS: tuple[tuple[str, Weights, tuple[re.Pattern[str], ...]], ...] = (
    (
        "temporal",
        Weights(0.6, 1.5, 0.8),
        _patterns(
            r"\b(when|last|yesterday|today|tomorrow|ago|before|after|since|until|during|recently|lately)\b",
            rf"\b({'|'.join(WEEKDAYS)})\b",
            rf"\b({'|'.join(MONTHS)})\b",
            r"\b\d{4}-\d{2}-\d{2}\b",
            r"\b\d{1,2}[/-]\d{1,2}[/-]\d{2,4}\b",
            rf"\b(this|next|last)\s+(week|month|year|{'|'.join(WEEKDAYS)})\b",
            r"\b\d+\s+(day|week|month|year|hour|minute)s?\s+(ago|from now|later|earlier)\b",
        ),
    ),
    (
        "factual",
        Weights(1.0, 1.2, 0.9),
        _patterns(
            r"\bwhat\s+is\b",
            r"\bwho\s+is\b",
            r"\bwhere\s+is\b",
            r"\b(definition|define|explain|meaning)\b",
            r"\bhow\s+(many|much|long|far)\b",
        ),
    ),
    (
        "entity",
        Weights(1.1, 1.0, 1.3),
        _patterns(
            r"\b(tell\s+me\s+about|what\s+do\s+you\s+know\s+about)\b",
            r"\b(who\s+is|what\s+does)\s+[a-z]+\b",
            r"\b(about|regarding|concerning)\s+[a-z]+\b",
        ),
    ),
    (
        "preference",
        Weights(0.9, 0.8, 1.5),
        _patterns(
            r"\b(prefer|like|dislike|want|hate|love|enjoy|favorite|best|worst)\b",
            r"\b(should\s+i|would\s+you|do\s+you\s+recommend)\b",
            r"\b(choose|pick|select|option|choice|decide)\b",
        ),
    ),
    (
        "procedural",
        Weights(1.3, 0.9, 0.7),
        _patterns(
            r"\bhow\s+(to|do|can|should|would)\b",
            r"\b(step|process|procedure|workflow|guide|tutorial)\b",
            r"\b(setup|install|configure|build|deploy|run|execute|start|stop)\b",
        ),
    ),
)
GENERAL = Intent("general", Weights(1.0, 1.0, 1.0))


def classify(query: str) -> Intent:
    """Return the kind of a query: the most patterns win, ties go to the earlier kind."""
    low = query.lower()
    best = GENERAL
    for category, bias, patterns in _KINDS:
        signals = sum(1 for pattern in patterns if pattern.search(low))
        found = Intent(category, bias, signals)
        if found.confidence > best.confidence:
            best = found
    return best


def normalize(weights: Weights, default: Weights) -> Weights:
    """Return weights that sum to 1; negatives count as 0, all zero gives the default."""
    vec, fts, importance = (max(0.0, x) for x in (weights.vec, weights.fts, weights.importance))
    total = vec + fts + importance
    if total == 0:
        return default
    if abs(total - 1.0) < 1e-10:
        return Weights(vec, fts, importance)
    return Weights(vec / total, fts / total, importance / total)


def biased(weights: Weights, bias: Weights) -> Weights:
    """Return weights multiplied by an intent's factors and divided by their new sum."""
    vec, fts, importance = (
        weights.vec * bias.vec,
        weights.fts * bias.fts,
        weights.importance * bias.importance,
    )
    total = vec + fts + importance
    return Weights(vec / total, fts / total, importance / total) if total > 0 else weights
