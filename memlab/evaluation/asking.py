"""Asking one case, so that every ending becomes an outcome."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from ..backends import Backend
from ..errors import InputError, MemlabError, UnknownOption
from ..models import Hit, Outcome
from .answer import Answer
from .case import Case
from .keys import KeyMap

__all__ = ["Allowed", "Asker"]

Allowed: TypeAlias = Callable[[Case, Hit], bool] | Collection[str]


class Asker:
    """Asks backends and keeps what they answer; remembers the keys of each backend's memories."""

    def __init__(self, options: Mapping[str, Any], allowed: Allowed | None = None) -> None:
        self.options = dict(options)
        self.allowed = allowed
        self._maps: dict[int, KeyMap] = {}

    def keys(self, backend: Backend) -> KeyMap:
        """Return the keys of a backend's memories."""
        return self._maps.setdefault(id(backend), KeyMap(backend))

    def ask(self, backend: Backend, case: Case) -> Answer:
        """Ask one case; an error of memlab's tree becomes an outcome.

        An option that the backend does not have is no failure of the backend
        but a mistake in the call, and is raised.
        """
        start = time.perf_counter()
        try:
            if case.conversation is not None:
                raise InputError(
                    f"Case {case.id!r} holds a conversation, and {backend.name} takes queries. "
                    "Evaluate an AutoRecall, which composes them."
                )
            recall = backend.recall(case.query, **self.options)
        except UnknownOption:
            raise
        except MemlabError as error:
            seconds = time.perf_counter() - start
            outcome = Outcome(error.outcome)
            return Answer(case.id, outcome, case.query, seconds=seconds, error=_said(error))
        keys = self.keys(backend)
        found = tuple(keys.key(hit, case.keys) for hit in recall.hits)
        return Answer.of(case.id, recall, found, self._outside(case, recall.hits))

    def _outside(self, case: Case, hits: tuple[Hit, ...]) -> tuple[bool, ...] | None:
        if self.allowed is None:
            return None
        if callable(self.allowed):
            return tuple(not self.allowed(case, hit) for hit in hits)
        return tuple(hit.id not in self.allowed for hit in hits)


def _said(error: MemlabError) -> str:
    return f"{type(error).__name__}: {error}"
