"""Cases against a bank: labels that name nothing."""

from __future__ import annotations

import pandas as pd

from ..backends import Backend
from ..frames import Column, to_frame
from .cases import Cases
from .keys import KeyMap

__all__ = ["missing_keys"]


def missing_keys(cases: Cases, backend: Backend) -> pd.DataFrame:
    """Return the labels that no memory or fact of a bank answers to: case, key, grade.

    Only cases of this bank, and cases that name none, are looked at.
    """
    name = getattr(backend, "bank", None)
    keys = KeyMap(backend)
    known: dict[str, set[str]] = {}
    rows = []
    for case in cases:
        if case.bank and isinstance(name, str) and case.bank != name:
            continue
        if case.keys not in known:
            found = set(keys.ids(case.keys))
            known[case.keys] = found | set(keys.facts) if case.keys == "id" else found
        grades = (case.relevant or {}).items()
        rows += [
            {"case": case.id, "key": key, "grade": grade}
            for key, grade in grades
            if key not in known[case.keys]
        ]
    return to_frame(rows, [Column("case"), Column("key"), Column("grade", "int")])
