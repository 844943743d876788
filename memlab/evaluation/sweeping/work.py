"""What is to be asked, and asking it: here, in threads, in processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from ..answer import Answer
from ..asking import Asker
from ..case import Case
from ..progress import shown
from ..targets import Subject, Target, backend_of, make_target
from .grid import Setting
from .remember import Remembering
from .sending import check_sendable, share_banks

__all__ = ["Job", "Prefer", "done"]

Prefer: TypeAlias = Literal["threads", "processes"]
CHUNK = 10


@dataclass(frozen=True)
class Job:
    """Cases that one subject is asked with one setting; ``number`` says which setting."""

    number: int
    name: str
    subject: Subject
    setting: Setting
    cases: tuple[Case, ...]


def _ask(job: Job) -> list[Answer]:
    """Ask the cases of a job, in a worker."""
    share_banks()
    target, asker = make_target(job.subject, job.setting), Asker()
    return [asker.ask(target, case) for case in job.cases]


class _Here:
    """Asks jobs in this process; keys are looked up once, and last answers remembered."""

    def __init__(self, *, remember: bool) -> None:
        self._asker = Asker()
        self._remember = remember
        self._remembering: dict[int, Remembering] = {}
        self._targets: dict[tuple[int, int], Target] = {}

    def ask(self, job: Job) -> list[Answer]:
        place = (job.number, id(job.subject))
        if place not in self._targets:
            self._targets[place] = self._target(job)
        return [self._asker.ask(self._targets[place], case) for case in job.cases]

    def _target(self, job: Job) -> Target:
        target = make_target(job.subject, job.setting)
        if not self._remember:
            return target
        backend = backend_of(job.subject)
        wrapped = self._remembering.setdefault(id(backend), Remembering(backend))
        return replace(target, backend=wrapped)


def done(
    jobs: Sequence[Job], *, workers: int | None, prefer: Prefer, remember: bool, progress: bool
) -> Iterator[tuple[Job, list[Answer]]]:
    """Yield jobs with their answers as they are done.

    ``joblib.parallel_config`` decides where, if it is used; else ``workers``
    and ``prefer``. Raises InputError where a bank cannot be sent to a process.
    """
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend(prefer=prefer)
    usual = 1 if workers is None else workers
    # One worker is this process, unless a cluster was configured.
    shares = getattr(backend, "supports_sharedmem", False)
    here = shares or (usual == 1 and type(backend).__name__ == "LokyBackend")
    if here:
        ask, parts = _Here(remember=remember).ask, list(_chunks(jobs, 1))
    else:
        check_sendable({id(job.subject): job.subject for job in jobs}.values())
        ask, parts = _ask, list(_chunks(jobs, CHUNK))
    if not parts:
        return
    options: dict[str, Any] = {"prefer": "threads" if here else prefer, "return_as": "generator"}
    run = Parallel(n_jobs=workers, **options)(delayed(ask)(part) for part in parts)
    answers = shown(run, progress=progress, what="sweep", unit="job", total=len(parts))
    yield from zip(parts, answers, strict=True)


def _chunks(jobs: Iterable[Job], size: int) -> Iterator[Job]:
    for job in jobs:
        for start in range(0, len(job.cases), size):
            yield replace(job, cases=job.cases[start : start + size])
