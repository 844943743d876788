"""What may be recalled for a case, and which hits may not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from ..errors import InputError
from .answer import Answer
from .case import Case
from .cases import Cases

__all__ = ["Allowed", "mark"]

Allowed: TypeAlias = Callable[[Case], Collection[str]] | Collection[str]
"""The ids, banks and tags that may be recalled: for all cases, or for each."""


def mark(cases: Cases, answers: Mapping[str, Answer], allowed: Allowed | None) -> dict[str, Answer]:
    """Return the answers with the hits marked that lie outside what is allowed."""
    return {
        case.id: answers[case.id].judged(_names(allowed, case))
        for case in cases
        if case.id in answers
    }


def _names(allowed: Allowed | None, case: Case) -> Collection[str] | None:
    if allowed is None:
        return None
    names = allowed(case) if callable(allowed) else allowed
    if isinstance(names, str) or not isinstance(names, Collection):
        raise InputError(f"allowed is a list of ids, banks and tags, not {names!r:.60}.")
    return names
