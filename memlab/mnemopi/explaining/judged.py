"""The threshold of relevance, and summaries whose sources were found."""

from __future__ import annotations

from collections.abc import Sequence

from ..lexicon import TextWords, groups_of, relevance, tokenize
from ..rerank import hides
from ..scoring import Scored, threshold
from .explanation import Explanation, Step
from .subject import Subject

__all__ = ["judged", "judged_steps"]


def _matched_groups(subject: Subject, scored: Scored) -> list[str]:
    """Return the words of the query that the memory's text answers, by themselves or a synonym."""
    text, words = TextWords(scored.candidate.text), subject.query.words
    asked = ((token, groups_of(token, words.synonyms)) for token in tokenize(words.query))
    return [token for token, groups in asked if relevance(groups, text, "") > 0]


def _threshold_step(subject: Subject, scored: Scored) -> Step:
    words, options = subject.query.words, subject.query.options
    least = threshold(len(words.terms), options)
    dense = f" or a vector of {options.dense_floor:g}" if options.query_vector else ""
    return Step(
        "relevant", scored.passed, f"{scored.keyword:.4f}", f"{least:g}{dense}",
        f"answers {len(_matched_groups(subject, scored))} of {len(words.groups)} words",
    )  # fmt: skip


def _summary_step(ids: Sequence[str]) -> Step:
    about = f"its source {', '.join(ids)} was found too" if ids else "none of its sources was found"
    return Step("summary", not ids, about=about)


def judged_steps(subject: Subject) -> tuple[Step, ...]:
    """Return the steps of a memory that passed both."""
    scored = subject.scored
    if scored is None:
        return ()
    steps = [_threshold_step(subject, scored)]
    if subject.tier.name == "episodic" and subject.query.options.hide_summaries:
        steps.append(_summary_step([]))
    return tuple(steps)


def judged(subject: Subject) -> Explanation | None:
    """Answer for a candidate that is below the threshold or hidden by its sources, else None."""
    scored, record = subject.scored, subject.record
    if scored is None or record is None:
        return None
    if not scored.passed:
        return _below(subject, scored)
    if subject.key not in {one.key for one in subject.run.unhidden}:
        sources = hides(record, subject.run.ranked)
        ids = [str(one.fields["id"]) for one in sources]
        return Explanation(
            subject.id,
            subject.tier.name,
            "hidden by its sources",
            f"Hidden: it is a summary of {', '.join(ids)}, which was found too (even if that "
            "did not come back in the end).",
            details={"sources": tuple(ids)},
            steps=(_threshold_step(subject, scored), _summary_step(ids)),
            own=record,
            rivals=tuple(("its source", one) for one in sources),
        )
    return None


def _below(subject: Subject, scored: Scored) -> Explanation:
    words = subject.query.words
    least = threshold(len(words.terms), subject.query.options)
    answered = _matched_groups(subject, scored)
    said = (
        f"Below the threshold: it answers {len(answered)} of {len(words.groups)} words of the "
        f"query ({', '.join(answered) or 'none'}), relevance {scored.keyword:.4f}; a query with "
        f"{len(words.terms)} words and synonyms needs {least:g}."
    )
    if subject.query.options.query_vector:
        floor = subject.query.options.dense_floor
        said += f" Its vector ({scored.candidate.dense:.4f}) is below {floor:g} too."
    return Explanation(
        subject.id,
        subject.tier.name,
        "below the threshold",
        said,
        details={
            "relevance": scored.keyword,
            "threshold": least,
            "vector": scored.candidate.dense,
            "answered": tuple(answered),
        },
        steps=(_threshold_step(subject, scored),),
        own=subject.record,
    )
