"""Cases against themselves and against a bank: what cannot be right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from ..backends import Backend
from ..frames import Column, to_frame
from .case import Case
from .keys import KeyMap

__all__ = ["check_cases"]

COLUMNS = (Column("case"), Column("problem"), Column("key"))


def check_cases(cases: Iterable[Case], backend: Backend | None = None) -> pd.DataFrame:
    """Return what is doubtful: case, problem, key.

    The same question with other labels, labels that are all 0, and, with a
    bank, labels that no memory or fact of it answers to. Cases of other banks
    are not looked up.
    """
    listed = list(cases)
    rows = [*_twice(listed), *_zeros(listed)]
    if backend is not None:
        rows += _missing(listed, backend)
    names = ("case", "problem", "key")
    return to_frame((dict(zip(names, row, strict=True)) for row in rows), COLUMNS)


def _twice(cases: list[Case]) -> Iterator[tuple[str, str, str]]:
    seen: dict[tuple[str, str, str], Case] = {}
    for case in cases:
        if case.conversation is not None:
            continue
        place = (case.bank, case.cwd, " ".join(case.query.split()).casefold())
        first = seen.setdefault(place, case)
        if first is not case and dict(first.relevant or {}) != dict(case.relevant or {}):
            yield case.id, f"asks the same as {first.id!r}, with other labels", ""


def _zeros(cases: list[Case]) -> Iterator[tuple[str, str, str]]:
    for case in cases:
        if case.relevant and not case.wanted:
            yield case.id, "all its labels are 0, so it is a null case", ""


def _missing(cases: list[Case], backend: Backend) -> Iterator[tuple[str, str, str]]:
    name = getattr(backend, "bank", None)
    keys = KeyMap(backend)
    for case in cases:
        if case.bank and isinstance(name, str) and case.bank != name:
            continue
        for key in case.relevant or {}:
            known = key in keys.ids(case.keys) or (case.keys == "id" and key in keys.facts)
            if not known:
                yield case.id, "no memory answers to this label", key
