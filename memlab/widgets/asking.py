"""One question put to a backend, and what came of it: an answer or an error, never neither."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..backends import Backend
from ..errors import MemlabError
from ..models import Recall

__all__ = ["Answer", "ask", "call_text", "described"]


@dataclass(frozen=True)
class Answer:
    """What a question brought: a recall, or the error in its place.

    ``options`` are those that were set, or None where they could not be read and
    so nothing was asked; ``seconds`` counts from the call to its return. ``stale``
    tells that the backend's copy is older than what it was made of.
    """

    query: str
    options: Mapping[str, Any] | None = None
    recall: Recall | None = None
    error: Exception | None = None
    seconds: float = 0.0
    stale: bool = False

    @property
    def code(self) -> str:
        """Return the question as a line of Python; empty where nothing was asked."""
        return "" if self.options is None else call_text(self.query, self.options)

    @property
    def failure(self) -> tuple[str, str] | None:
        """Return kind and sentence of what went wrong; None where the backend answered."""
        if self.error is not None:
            return described(self.error)
        if self.recall is not None and not self.recall.outcome.answered:
            outcome = str(self.recall.outcome)
            return outcome, f"{self.recall.backend} did not answer: {outcome}. Ask again."
        return None


def ask(backend: Backend, query: str, options: Mapping[str, Any]) -> Answer:
    """Ask a backend; whatever it raises becomes part of the answer."""
    start = time.perf_counter()
    try:
        recall = backend.recall(query, **options)
    except Exception as error:  # noqa: BLE001  a notebook would lose it; the explorer shows it
        return Answer(query, options, error=error, seconds=time.perf_counter() - start)
    return Answer(query, options, recall, None, time.perf_counter() - start, _stale(backend))


def _stale(backend: Backend) -> bool:
    """Tell whether a backend's copy is out of date; a file that is gone counts too."""
    try:
        return bool(getattr(backend, "is_stale", False))
    except (MemlabError, OSError):
        return True


def call_text(query: str, options: Mapping[str, Any], name: str = "bank") -> str:
    """Return the question as a line of Python."""
    given = "".join(f", {key}={value!r}" for key, value in options.items())
    return f"{name}.recall({query!r}{given})"


def described(error: Exception) -> tuple[str, str]:
    """Return kind and sentence of an error; one that is not of memlab's tree is a fault."""
    kind = type(error).__name__
    if isinstance(error, MemlabError):
        return kind, str(error)
    return kind, f"{str(error) or 'no message'}. This is a fault in memlab; please report it."
