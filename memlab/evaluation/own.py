"""Measures that ranking measures lack: what was injected, at what price, from where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from .answer import Answer
from .case import Case

__all__ = [
    "OWN",
    "Covered",
    "Injected",
    "Leaked",
    "OwnMeasure",
    "RAll",
    "RelevantShare",
    "Seconds",
    "Tokens",
    "less_is_better",
]

Compute = Callable[[Case, Answer, int | None], float | None]


@dataclass(frozen=True)
class OwnMeasure:
    """A measure of one answer; ``measure @ k`` looks at the first k hits only.

    It has no value for cases it says nothing about: those are left out of its mean.
    """

    name: str
    compute: Compute = field(repr=False, compare=False)
    cutoff: int | None = None
    about: str = field(default="", compare=False)
    less_is_better: bool = field(default=False, compare=False)

    def __matmul__(self, cutoff: int) -> OwnMeasure:
        """Return the measure for the first hits only."""
        return replace(self, cutoff=cutoff)

    def __call__(self, case: Case, answer: Answer) -> float | None:
        """Return the value for one answered case; None where it says nothing."""
        return self.compute(case, answer, self.cutoff)

    def __repr__(self) -> str:
        """Show the name and the cutoff."""
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"


def _all_found(case: Case, answer: Answer, cutoff: int | None) -> float | None:
    if case.kind != "labelled":
        return None
    return float(set(case.wanted) <= set(answer.keys[:cutoff]))


def _injected(case: Case, answer: Answer, cutoff: int | None) -> float | None:
    return float(bool(answer.hits[:cutoff])) if case.kind == "null" else None


def _covered(case: Case, answer: Answer, cutoff: int | None) -> float | None:
    return float(bool(answer.hits[:cutoff])) if case.kind == "labelled" else None


def _tokens(_case: Case, answer: Answer, cutoff: int | None) -> float | None:
    return float(answer.tokens if cutoff is None else sum(answer.hit_tokens[:cutoff]))


def _relevant_share(case: Case, answer: Answer, cutoff: int | None) -> float | None:
    if case.kind == "unlabelled":
        return None
    wanted = set(case.wanted)
    pairs = list(zip(answer.keys, answer.hit_tokens, strict=True))[:cutoff]
    shown = sum(tokens for _, tokens in pairs) if cutoff else max(answer.tokens, 0)
    return sum(tokens for key, tokens in pairs if key in wanted) / shown if shown else None


def _seconds(_case: Case, answer: Answer, _cutoff: int | None) -> float | None:
    return answer.seconds


def _leaked(_case: Case, answer: Answer, cutoff: int | None) -> float | None:
    if answer.outside is None:
        return None
    marks = answer.outside[:cutoff]
    return sum(marks) / len(marks) if marks else 0.0


Injected = OwnMeasure(
    "Injected", _injected, about="null cases for which anything was recalled", less_is_better=True
)
Covered = OwnMeasure("Covered", _covered, about="labelled cases for which anything was recalled")
RAll = OwnMeasure("RAll", _all_found, about="cases whose relevant memories were all found")
Tokens = OwnMeasure(
    "Tokens", _tokens, about="tokens of what the agent would be shown", less_is_better=True
)
RelevantShare = OwnMeasure(
    "RelevantShare", _relevant_share, about="tokens of relevant hits per token shown"
)
Seconds = OwnMeasure("Seconds", _seconds, about="how long the backend took", less_is_better=True)
Leaked = OwnMeasure(
    "Leaked", _leaked, about="share of hits from outside the scope", less_is_better=True
)

OWN: Mapping[str, OwnMeasure] = {
    measure.name: measure
    for measure in (Injected, Covered, RAll, Tokens, RelevantShare, Seconds, Leaked)
}


def less_is_better(measure: str) -> bool:
    """Tell whether a smaller value of the measure of this name is the better one."""
    own = OWN.get(measure.partition("@")[0])
    return bool(own and own.less_is_better)
