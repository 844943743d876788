"""Evaluating: ask every case, keep every answer, compute the measures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..errors import RecallRefused
from ..models import Outcome
from ..text.dates import iso_millis
from .answer import Answer
from .asking import Asker
from .case import Case
from .cases import Cases
from .choice import Subjects, choose
from .context import clock_of, context_of
from .evaluation import Evaluation
from .labels import describe_labels
from .measures import Measure, parse_measures
from .parallel import ask_all
from .resuming import begin
from .scope import Allowed, mark
from .targets import Subject, Target, backend_of, make_target

__all__ = ["evaluate"]


def evaluate(
    backend: Subjects,
    cases: Cases | Iterable[Case],
    measures: Measure | str | Iterable[Measure | str] | None = None,
    *,
    label: str | None = None,
    run: str | Path | None = None,
    only_failed: bool = False,
    allowed: Allowed | None = None,
    why: bool = False,
    jobs: int | None = None,
    progress: bool = True,
    **options: Any,
) -> Evaluation:
    """Ask a backend every case and measure its answers.

    ``backend`` is a backend or an AutoRecall, a mapping of bank names to such
    (a case names its bank), or a function from a case to one. ``measures`` are
    values or names, by default Success, R, RR and nDCG at 8, and Injected.
    ``options`` go to every recall; those of the composer (turns, max_chars,
    token_limit, strategy, and for a control style) make it an automatic recall.
    Without ``now`` a Mnemopi bank is asked all cases when the run started.

    ``label`` names the run in tables and plots. ``run`` is a file that keeps
    every answer as it comes: a run that was interrupted goes on from there, and
    with ``only_failed`` its failed cases are asked again. ``allowed`` names the
    ids, banks and tags that may be recalled, for Leaked; or a function from a
    case to these. ``why=True`` has every missing relevant memory explained, see
    :meth:`Evaluation.relevant`. ``jobs`` asks so many at once: for servers.

    Failures of the backend are recorded, not raised. Raises UnknownOption for an
    option that the backend does not have, RecallRefused where every case is
    refused, InputError where ``run`` holds another run.
    """
    cases = cases if isinstance(cases, Cases) else Cases(cases)
    kinds = parse_measures(measures)
    chosen = choose(backend, cases)
    state = begin(run, cases, only_failed=only_failed)
    options = clock_of(chosen, {**state.clock, **options}, iso_millis(datetime.now(UTC)))
    context = context_of(cases, chosen, options)
    state.open(common_name(chosen), label, kinds, context)
    asker = Asker(why=why)
    targets = _targets(chosen, options)
    todo = [(targets[case.id], case) for case in cases if case.id not in state.answers]
    for answer in ask_all(asker, todo, jobs=jobs, progress=progress):
        state.keep(answer)
    _check_refusals(state.answers.values())
    finished = Evaluation(
        cases,
        mark(cases, state.answers, allowed),
        kinds,
        common_name(chosen),
        label,
        options,
        describe_labels(cases, {i: t.backend for i, t in targets.items()}, asker),
        context,
    )
    if state.path is not None:
        finished.save(state.path)
    return finished


def _targets(chosen: Mapping[str, Subject], options: Mapping[str, Any]) -> dict[str, Target]:
    """Return the target of each case; cases with one subject share one target."""
    made = {id(subject): make_target(subject, options) for subject in chosen.values()}
    return {case: made[id(subject)] for case, subject in chosen.items()}


def _check_refusals(answers: Collection[Answer]) -> None:
    """Raise where every case was refused: then it is the call that is wrong."""
    errors = [answer.error for answer in answers if answer.outcome is Outcome.REFUSED]
    if errors and len(errors) == len(answers):
        raise RecallRefused(f"All {len(errors)} cases were refused. The first: {errors[0]}")


def common_name(chosen: Mapping[str, Subject]) -> str:
    """Return the name of the subjects together: one name, or what begins them all."""
    names = list(dict.fromkeys(backend_of(subject).name for subject in chosen.values()))
    if len(names) <= 1:
        return "".join(names)
    kinds = sorted({name.partition(":")[0] for name in names})
    return f"{'+'.join(kinds)} ({len(names)} banks)"
