"""Asking several cases at once, in threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .answer import Answer
from .asking import Asker
from .case import Case
from .progress import shown
from .targets import Target

__all__ = ["ask_all"]


def ask_all(
    asker: Asker, todo: Sequence[tuple[Target, Case]], *, jobs: int | None, progress: bool
) -> Iterator[Answer]:
    """Yield the answers as they come; with ``jobs`` above 1, that many at once."""
    answers: Iterable[Answer]
    if jobs is None or jobs == 1:
        answers = (asker.ask(target, case) for target, case in todo)
    else:
        from joblib import Parallel, delayed

        parallel = Parallel(n_jobs=jobs, prefer="threads", return_as="generator")
        answers = parallel(delayed(asker.ask)(target, case) for target, case in todo)
    yield from shown(answers, progress=progress, total=len(todo))
