"""From the stages of a recall to one answer about one memory."""

from __future__ import annotations

from dataclasses import replace

from ...errors import MemoryNotFound
from ..lookup import checked_id
from ..pipeline import Run
from ..reading import find
from ..snapshot import Snapshot
from .aboutfacts import explain_fact
from .explanation import Explanation, Step
from .judged import judged
from .matched import matching
from .missed import how_it_came, why_unmatched
from .selected import selected
from .subject import Subject, find_subject
from .visible import unseen, visibility_step

__all__ = ["explain"]


def explain(run: Run, snapshot: Snapshot, key: str) -> Explanation:
    """Tell what became of a memory or fact in a recall.

    Raises MemoryNotFound, which names ids that look alike, or InputError.
    """
    checked_id(key)
    subject = find_subject(run, snapshot, key)
    if subject is not None:
        return _explain_memory(subject)
    fact = explain_fact(run, snapshot, key)
    if fact is not None:
        return fact
    find(snapshot, key, run.query.timing.now)
    raise MemoryNotFound(f"No memory {key!r}.")  # find has raised, with near ids


def _explain_memory(subject: Subject) -> Explanation:
    answer = _entry(subject)
    if answer is not None:
        return answer
    found = matching(subject)
    came = how_it_came(subject, found) if subject.scored else why_unmatched(subject, found)
    count = f"{len(found.holds)} of {len(found.asked)} words"
    steps = (
        visibility_step([]),
        Step("matched", subject.scored is not None, count, about=came),
    )
    if subject.scored is None:
        return Explanation(
            subject.id,
            subject.tier.name,
            "not matched",
            f"Not matched: {came}.",
            details=found.values,
            steps=steps,
        )
    rest = judged(subject) or selected(subject)
    return replace(rest, steps=(*steps, *rest.steps), details={**found.values, **rest.details})


def _entry(subject: Subject) -> Explanation | None:
    """Answer for a memory that the recall did not even look for."""
    query = subject.query
    if query.options.limit <= 0:
        said = f"the limit is {query.options.limit:g}, so nothing was asked for"
        return Explanation(
            subject.id, subject.tier.name, "cut by the limit", f"Cut by the limit: {said}.",
            details={"limit": query.options.limit},
        )  # fmt: skip
    reasons = unseen(subject)
    if query.options.mode == "facts":
        reasons = ["a recall of mode='facts' returns facts only", *reasons]
    if not reasons:
        return None
    return Explanation(
        subject.id,
        subject.tier.name,
        "not visible",
        f"Not visible: {'; '.join(reasons)}.",
        details={"reasons": tuple(reasons)},
        steps=(visibility_step(reasons),),
    )
