"""Evaluating: ask every case, keep every answer, compute the measures."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ..errors import RecallRefused
from ..models import Outcome
from .answer import Answer
from .asking import Allowed, Asker
from .case import Case
from .cases import Cases
from .choice import Backends, choose
from .evaluation import Evaluation
from .labels import describe_labels
from .measures import Measure, parse_measures
from .progress import shown

__all__ = ["evaluate"]


def evaluate(
    backend: Backends,
    cases: Cases | Iterable[Case],
    measures: Measure | str | Iterable[Measure | str] | None = None,
    *,
    label: str | None = None,
    allowed: Allowed | None = None,
    progress: bool = False,
    **options: Any,
) -> Evaluation:
    """Ask a backend every case and measure its answers.

    ``backend`` is one backend, a mapping of bank names to backends (a case
    names its bank), or a function from a case to a backend. ``measures`` are
    values or names, by default what :func:`parse_measures` says. ``options``
    go to every recall. ``label`` names the run in tables and plots.

    Failures of the backend are recorded, not raised. Raises UnknownOption for an
    option that the backend does not have, RecallRefused where every case is refused.
    """
    cases = cases if isinstance(cases, Cases) else Cases(cases)
    chosen = choose(backend, cases)
    asker = Asker(options, allowed)
    todo = shown(cases, progress=progress)
    answers = {case.id: asker.ask(chosen[case.id], case) for case in todo}
    _check_refusals(answers.values())
    names = list(dict.fromkeys(one.name for one in chosen.values()))
    return Evaluation(
        cases=cases,
        answers=answers,
        measures=parse_measures(measures),
        backend=names[0] if len(names) == 1 else _common(names),
        label=label,
        options=dict(options),
        labels=describe_labels(cases, chosen, asker),
    )


def _check_refusals(answers: Collection[Answer]) -> None:
    """Raise where every case was refused: then it is the call that is wrong."""
    errors = [answer.error for answer in answers if answer.outcome is Outcome.REFUSED]
    if errors and len(errors) == len(answers):
        raise RecallRefused(f"All {len(errors)} cases were refused. The first: {errors[0]}")


def _common(names: list[str]) -> str:
    kinds = sorted({name.partition(":")[0] for name in names})
    return "+".join(kinds) + (f" ({len(names)} banks)" if names else "")
