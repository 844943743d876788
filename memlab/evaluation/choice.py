"""Which subject answers which case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ..autorecall.auto import AutoRecall
from ..backends import Backend
from ..errors import InputError
from .case import Case
from .targets import Subject, backend_of

__all__ = ["Subjects", "choose"]

Subjects: TypeAlias = Subject | Mapping[str, Subject] | Callable[[Case], Subject]


def choose(subjects: Subjects, cases: Sequence[Case]) -> dict[str, Subject]:
    """Return the subject of each case, by case id.

    One backend (or AutoRecall) answers all cases; a mapping is asked by the
    name of the case's bank; a function is given the case. Raises InputError
    where a case has no backend, or where one bank is asked the questions of
    several.
    """
    if isinstance(subjects, Mapping):
        return _by_name(subjects, cases)
    # An AutoRecall can be called too, so it is looked for first.
    if isinstance(subjects, AutoRecall | Backend):
        _check_banks(subjects, cases)
        return {case.id: subjects for case in cases}
    if not callable(subjects):
        raise InputError(
            f"{subjects!r:.80} is no backend. Give a bank, a mapping of bank names to banks, "
            "or a function from a case to a bank."
        )
    return {case.id: _checked(subjects(case), case) for case in cases}


def _checked(subject: object, case: Case) -> Subject:
    if not isinstance(subject, AutoRecall | Backend):
        raise InputError(f"For case {case.id!r} the function gave {subject!r:.80}, no backend.")
    return subject


def _by_name(subjects: Mapping[str, Subject], cases: Sequence[Case]) -> dict[str, Subject]:
    missing = sorted({case.bank for case in cases} - set(subjects))
    if missing:
        some = [case.id for case in cases if case.bank in missing]
        raise InputError(
            f"{len(some)} cases, such as {some[0]!r}, name banks that were not given: "
            f"{', '.join(map(repr, missing))}. Given: {', '.join(map(repr, subjects))}. "
            "Add them, or choose cases: cases.filter(bank=[...])."
        )
    return {case.id: _checked(subjects[case.bank], case) for case in cases}


def _check_banks(subject: Subject, cases: Sequence[Case]) -> None:
    named = sorted({case.bank for case in cases if case.bank})
    if len(named) > 1 and isinstance(getattr(backend_of(subject), "bank", None), str):
        raise InputError(
            f"The cases are about {len(named)} banks ({', '.join(named)}), and one bank is given. "
            "Give a mapping {name: bank}, or choose cases: cases.filter(bank='...')."
        )
