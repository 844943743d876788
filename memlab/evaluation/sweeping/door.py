"""sweep(): every setting of a grid over the same cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from ...errors import RecallRefused
from ...files import expanded
from ...models import Outcome
from ..answer import Answer
from ..asking import Asker
from ..case import Case
from ..cases import Cases
from ..choice import Subjects, choose
from ..context import context_of
from ..evaluation import Evaluation
from ..labels import describe_labels
from ..measures import Measure, parse_measures
from ..runner import common_name
from ..scope import Allowed, mark
from ..targets import Subject, backend_of
from .clock import stopped
from .grid import Setting, check_effect, composing, settings_of, varied
from .plan import plan_of
from .result import Sweep
from .store import Store, default_folder
from .work import Prefer, done

__all__ = ["sweep"]


def sweep(
    backend: Subjects,
    cases: Cases | Iterable[Case],
    measures: Measure | str | Iterable[Measure | str] | None = None,
    *,
    grid: Iterable[Mapping[str, Any]] | None = None,
    cache: str | Path | Literal[True] | None = True,
    allowed: Allowed | None = None,
    jobs: int | None = None,
    prefer: Prefer = "threads",
    progress: bool = True,
    **options: Any,
) -> Sweep:
    """Evaluate every combination of options that are given as lists.

    Options are those of the backend and of the composer (turns, max_chars,
    token_limit, strategy, style): ``limit=[4, 8, 16], token_limit=[500, 2000],
    mmr_lambda=0.7`` makes six settings. ``grid`` adds several such mappings one
    after the other. ``backend``, ``cases``, ``measures``, ``allowed`` are those
    of :func:`evaluate`.

    Answers are kept on disk under everything they depend on: the content of
    the bank, the options, the query, memlab's code, the environment. So a sweep
    that was interrupted goes on, and a larger grid asks only what is new.
    ``cache`` is the folder (True: memlab's own; None: nothing is kept). Without
    ``now``, a Mnemopi bank is asked at the moment of the first sweep over it,
    which is kept too; give ``now`` to choose another.

    ``jobs`` asks so many at once, in ``prefer="threads"`` (servers) or
    ``"processes"``; ``joblib.parallel_config`` is followed, so that
    ``backend="dask"`` uses a cluster whose workers can read the bank's path.

    Raises InputError for a grid that cannot make a difference, UnknownOption
    for an option that the backend does not have, RecallRefused where every
    setting is refused.
    """
    cases = cases if isinstance(cases, Cases) else Cases(cases)
    kinds = parse_measures(measures)
    settings = settings_of(options, grid)
    check_effect(settings, cases)
    chosen = choose(backend, cases)
    store = Store(_folder(cache))
    settings = stopped(settings, chosen, store)
    plan = plan_of(settings, cases, chosen, store)
    answers = plan.known
    asked = sum(len(job.cases) for job in plan.jobs)
    shared = composing(settings)
    for job, found in done(
        plan.jobs, workers=jobs, prefer=prefer, remember=shared, progress=progress
    ):
        if job.name:
            store.add(job.name, zip(job.cases, found, strict=True))
        answers[job.number] |= {answer.case: answer for answer in found}
    _check_refusals(answers)
    runs = _evaluations(settings, cases, chosen, answers, measures=kinds, allowed=allowed)
    return Sweep(settings, runs, asked, chosen)


def _folder(cache: str | Path | Literal[True] | None) -> Path | None:
    if cache is None:
        return None
    return default_folder() if cache is True else expanded(cache)


def _check_refusals(answers: list[dict[str, Answer]]) -> None:
    """Raise where every setting was refused every case: then it is the call that is wrong."""
    every = [answer for found in answers for answer in found.values()]
    errors = [answer.error for answer in every if answer.outcome is Outcome.REFUSED]
    if errors and len(errors) == len(every):
        raise RecallRefused(f"All {len(errors)} recalls were refused. The first: {errors[0]}")


def _evaluations(
    settings: list[Setting],
    cases: Cases,
    chosen: Mapping[str, Subject],
    answers: list[dict[str, Answer]],
    *,
    measures: tuple[Measure, ...],
    allowed: Allowed | None,
) -> tuple[Evaluation, ...]:
    names, backend = varied(settings), common_name(chosen)
    context = context_of(cases, chosen, {})
    backends = {case: backend_of(subject) for case, subject in chosen.items()}
    labels = describe_labels(cases, backends, Asker())
    return tuple(
        Evaluation(
            cases=cases,
            answers=mark(cases, found, allowed),
            measures=measures,
            backend=backend,
            label=", ".join(f"{name}={setting.get(name)}" for name in names) or backend,
            options=setting,
            labels=labels,
            context=replace(context, options=setting),
        )
        for setting, found in zip(settings, answers, strict=True)
    )
