"""From voices to a list: reciprocal ranks, one result per set of voices, a budget."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from typing import Any

from ...text.collation import compare
from ...text.javascript import length, number_text
from .voices import VOICES, Heard, in_order

__all__ = ["Fused", "diverse", "fuse", "shown", "within"]

_LOCALE = cmp_to_key(compare)
_K = 60
_ALIKE = 0.8
_OVERHEAD = 100
_UNITS_PER_TOKEN = 4


@dataclass
class Fused:
    """A memory with what each voice gave to its score."""

    id: str
    score: float = 0.0
    voices: dict[str, float] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)


def fuse(voices: Mapping[str, Sequence[Heard]]) -> list[Fused]:
    """Add up 1 / (60 + rank) over the voices (Cormack and others 2009), best first."""
    found: dict[str, Fused] = {}
    for voice, heard in voices.items():
        for rank, one in enumerate(in_order(heard), start=1):
            fused = found.setdefault(one.id, Fused(one.id))
            share = 1 / (_K + rank)
            fused.voices[voice] = fused.voices.get(voice, 0.0) + share
            fused.score += share
            fused.about.update(one.about)
    by_id = sorted(found.values(), key=lambda one: _LOCALE(one.id))
    return sorted(by_id, key=lambda one: -one.score)


def diverse(ranked: Sequence[Fused], limit: float) -> list[Fused]:
    """Keep a result only if no better one was named by (nearly) the same voices."""
    kept: list[Fused] = []
    for one in ranked:
        if len(kept) >= max(0, int(limit)):
            break
        if all(_alike(one, other) <= _ALIKE for other in kept):
            kept.append(one)
    return kept


def _alike(left: Fused, right: Fused) -> float:
    mine, other = left.voices.keys(), right.voices.keys()
    return len(mine & other) / len(mine | other)


def within(ranked: Sequence[Fused], budget: float) -> list[Fused]:
    """Keep results as long as what is said about them fits the budget, in tokens."""
    room = max(0, int(budget)) * _UNITS_PER_TOKEN
    kept: list[Fused] = []
    for one in ranked:
        room -= length(_json(one.about)) + _OVERHEAD
        if room < 0:
            break
        kept.append(one)
    return kept


def _json(value: Any) -> str:
    """Print as JSON.stringify does: no blanks, numbers in JavaScript's way."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_json(key)}:{_json(each)}" for key, each in value.items()) + "}"
    if isinstance(value, bytes):
        return _json({str(place): byte for place, byte in enumerate(value)})
    if isinstance(value, float) and not math.isfinite(value):
        return "null"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(float(value))
    return json.dumps(value, ensure_ascii=False)


def shown(voices: Mapping[str, float]) -> dict[str, float]:
    """Return the voices in their usual order."""
    return {name: voices[name] for name in VOICES if name in voices}
