"""Which backend answers which case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ..backends import Backend
from ..errors import InputError
from .case import Case

__all__ = ["Backends", "choose"]

Backends: TypeAlias = Backend | Mapping[str, Backend] | Callable[[Case], Backend]


def choose(backends: Backends, cases: Sequence[Case]) -> dict[str, Backend]:
    """Return the backend of each case, by case id.

    One backend answers all cases; a mapping is asked by the name of the case's
    bank; a function is given the case. Raises InputError where a case has no
    backend, or where one bank is asked the questions of several.
    """
    if isinstance(backends, Mapping):
        return _by_name(backends, cases)
    if isinstance(backends, Backend):
        _check_banks(backends, cases)
        return {case.id: backends for case in cases}
    if not callable(backends):
        raise InputError(
            f"{backends!r:.80} is no backend. Give a bank, a mapping of bank names to banks, "
            "or a function from a case to a bank."
        )
    return {case.id: _checked(backends(case), case) for case in cases}


def _checked(backend: object, case: Case) -> Backend:
    if not isinstance(backend, Backend):
        raise InputError(f"For case {case.id!r} the function gave {backend!r:.80}, no backend.")
    return backend


def _by_name(backends: Mapping[str, Backend], cases: Sequence[Case]) -> dict[str, Backend]:
    missing = sorted({case.bank for case in cases} - set(backends))
    if missing:
        some = [case.id for case in cases if case.bank in missing]
        raise InputError(
            f"{len(some)} cases, such as {some[0]!r}, name banks that were not given: "
            f"{', '.join(map(repr, missing))}. Given: {', '.join(map(repr, backends))}. "
            "Add them, or choose cases: cases.filter(bank=[...])."
        )
    return {case.id: backends[case.bank] for case in cases}


def _check_banks(backend: Backend, cases: Sequence[Case]) -> None:
    named = sorted({case.bank for case in cases if case.bank})
    if len(named) > 1 and isinstance(getattr(backend, "bank", None), str):
        raise InputError(
            f"The cases are about {len(named)} banks ({', '.join(named)}), and one bank is given. "
            "Give a mapping {name: bank}, or choose cases: cases.filter(bank='...')."
        )
