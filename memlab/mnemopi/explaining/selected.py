"""Which of the relevant memories were picked: coverage, MMR, facts, the limit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..records import Record
from ..rerank import by_score, mmr
from .explanation import Explanation, Stage, Step
from .judged import judged_steps
from .picking import Lost, lost_to_coverage, lost_to_mmr
from .subject import Subject

__all__ = ["selected"]


@dataclass(frozen=True)
class _Round:
    """One choice: what it was made from, what was picked, and how many there was room for."""

    name: str
    pool: Sequence[Record]
    picked: Sequence[Record]
    room: int

    def place(self, key: tuple[str, str]) -> int:
        """Return a record's place by score alone, from 1."""
        return [one.key for one in by_score(self.pool)].index(key) + 1

    def has(self, key: tuple[str, str]) -> bool:
        """Tell whether a record was picked."""
        return any(one.key == key for one in self.picked)

    def step(self, key: tuple[str, str], about: str = "") -> Step:
        """Return the round as a step."""
        value = f"number {self.place(key)} by score of {len(self.pool)}"
        return Step(self.name, self.has(key), value, f"{self.room} picked", about)


def _rounds(subject: Subject) -> list[_Round]:
    run = subject.run
    room = max(0, int(run.room))
    rounds = []
    if run.covered != run.unhidden:
        rounds.append(_Round("coverage", run.unhidden, run.covered, math.ceil(run.room)))
    rounds.append(_Round("pass", run.covered, run.memories, room))
    if subject.query.options.enhanced:
        pool = [*run.memories, *run.facts]
        rounds.append(_Round("final", pool, run.final, max(0, int(subject.query.options.limit))))
    return rounds


def selected(subject: Subject) -> Explanation:
    """Answer for a relevant memory: returned, or the round that it lost."""
    record = subject.record
    if record is None:  # only candidates get here
        raise ValueError(f"{subject.id} is no candidate")
    steps = list(judged_steps(subject))
    for one in _rounds(subject):
        if not one.has(subject.key):
            lost = _lost(subject, record, one)
            last = one.step(subject.key, lost.stage)
            return replace(lost, steps=(*steps, last), own=record)
        steps.append(one.step(subject.key))
    rank = [one.key for one in subject.run.final].index(subject.key) + 1
    return Explanation(
        subject.id,
        subject.tier.name,
        "returned",
        f"Returned: number {rank} of {len(subject.run.final)}, score {record.score:.4f}.",
        rank=rank,
        details={"score": record.score},
        steps=tuple(steps),
        own=record,
    )


def _lost(subject: Subject, record: Record, one: _Round) -> Explanation:
    options = subject.query.options
    if one.name == "coverage":
        terms, gain = subject.query.words.terms, options.coverage_gain
        return _by_value(subject, one, lost_to_coverage(record, one.picked, terms, gain))
    if one.name == "pass" and not options.uses("mmr"):
        return _outranked(subject, record, one, "cut by the limit")
    if one.place(subject.key) <= one.room:
        return _by_mmr(subject, one, lost_to_mmr(record, one.picked, options.mmr_lambda))
    if one.name == "final" and subject.run.facts:
        alone = mmr(subject.run.memories, options.mmr_lambda, options.limit)
        if any(other.key == subject.key for other in alone):
            return _by_facts(subject, record, one)
    return _outranked(subject, record, one, "outranked")


def _answer(
    subject: Subject,
    stage: Stage,
    sentence: str,
    details: dict[str, object],
    rivals: Sequence[tuple[str, Record]] = (),
) -> Explanation:
    return Explanation(
        subject.id, subject.tier.name, stage, sentence, details=details, rivals=tuple(rivals)
    )


def _by_value(subject: Subject, one: _Round, lost: Lost | None) -> Explanation:
    if lost is None:
        return _answer(subject, "cut by the limit", "Cut by the limit: nothing was picked.", {})
    name = lost.winner.fields["id"]
    return _answer(
        subject,
        "outranked",
        f"Outranked: {len(one.pool)} memories were relevant, and {one.room} were picked by score "
        f"and new words of the query; with both it has {lost.value:.4f}, the last one picked "
        f"({name}) {lost.needed:.4f}.",
        {"value": lost.value, "needed": lost.needed, "place": one.place(subject.key)},
        [("the last one picked", lost.winner)],
    )


def _by_mmr(subject: Subject, one: _Round, lost: Lost | None) -> Explanation:
    if lost is None or lost.twin is None:
        return _answer(subject, "cut by the limit", f"Cut by the limit of {one.room}.", {})
    twin, winner = lost.twin.fields["id"], lost.winner.fields["id"]
    return _answer(
        subject,
        "replaced by MMR",
        f"Replaced by MMR: by score it is number {one.place(subject.key)} of {one.room}, but it "
        f"resembles {twin} ({lost.alike:.4f}), so {winner} was picked instead "
        f"({lost.needed:.4f} against {lost.value:.4f}).",
        {
            "similar_to": twin,
            "similarity": lost.alike,
            "value": lost.value,
            "needed": lost.needed,
            "replaced_by": winner,
        },
        [("resembles it", lost.twin), ("picked instead", lost.winner)],
    )


def _by_facts(subject: Subject, record: Record, one: _Round) -> Explanation:
    facts = [other for other in one.picked if other.fields["tier"] == "fact"]
    names = ", ".join(str(fact.fields["id"]) for fact in facts)
    return _answer(
        subject,
        "beaten by facts",
        f"Beaten by facts: without them it would have come back; {len(facts)} of the {one.room} "
        f"places went to facts ({names}), and its score is {record.score:.4f}.",
        {"facts": tuple(fact.fields["id"] for fact in facts), "place": one.place(subject.key)},
        [("a fact", fact) for fact in facts],
    )


def _outranked(subject: Subject, record: Record, one: _Round, stage: Stage) -> Explanation:
    weakest = min(one.picked, key=lambda other: other.score, default=None)
    if weakest is None:
        return _answer(subject, "cut by the limit", f"Cut by the limit of {one.room}.", {})
    place, head = one.place(subject.key), stage.capitalize()
    return _answer(
        subject,
        stage,
        f"{head}: it is number {place} by score ({record.score:.4f}) of {len(one.pool)}, and "
        f"{one.room} were taken; the weakest of them, {weakest.fields['id']}, has "
        f"{weakest.score:.4f}.",
        {"place": place, "score": record.score, "needed": weakest.score},
        [("the weakest taken", weakest), ("the best", by_score(one.picked)[0])],
    )
