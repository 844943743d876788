"""From answers to figures, one row per case.

The rules:

* Ranking measures have a value for labelled cases that were answered; null,
  unlabelled and failed cases have none, and never lower or raise a mean unseen.
* An empty answer to a labelled case is an answer: it counts 0. So does a case
  that a run from elsewhere does not have. A case that was never asked is failed.
* The order of the hits is the backend's. Equal scores do not matter.
* A key counts where it comes first. A repeat keeps its place, as it does in the
  agent's prompt, and counts there as judged and not relevant.
* A relevant key that is in no bank still counts as missing: it is part of what
  should have been found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .answer import Answer
from .case import Case
from .measures import Measure, rank_values
from .own import OwnMeasure

__all__ = ["case_values", "ranking"]


def ranking(keys: Iterable[str], grades: Mapping[str, int]) -> tuple[list[str], dict[str, int]]:
    """Return the keys with repeats renamed, and the grades with the repeats of judged keys as 0."""
    order: list[str] = []
    judged = dict(grades)
    seen: dict[str, int] = {}
    for key in keys:
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 1:
            order.append(key)
            continue
        repeat = f"{key}\x1f{seen[key]}"
        order.append(repeat)
        if key in grades:
            judged[repeat] = 0
    return order, judged


def case_values(
    cases: Sequence[Case], answers: Mapping[str, Answer], measures: Sequence[Measure]
) -> dict[str, dict[str, float | None]]:
    """Return the value of each measure for each case, None where it has none."""
    own = [measure for measure in measures if isinstance(measure, OwnMeasure)]
    ranked = [measure for measure in measures if not isinstance(measure, OwnMeasure)]
    labels: dict[str, dict[str, int]] = {}
    rankings: dict[str, list[str]] = {}
    values: dict[str, dict[str, float | None]] = {}
    for case in cases:
        answer = answers.get(case.id)
        answered = answer is not None and answer.outcome.answered
        values[case.id] = {
            str(measure): measure(case, answer) if answer is not None and answered else None
            for measure in own
        }
        if case.kind == "labelled" and answer is not None and answered:
            rankings[case.id], labels[case.id] = ranking(answer.keys, case.relevant or {})
    for name, found in rank_values(ranked, labels, rankings).items():
        values[name] |= found
    return values
