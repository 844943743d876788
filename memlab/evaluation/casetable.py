"""Cases as a table: one row per label, for spreadsheets and frames."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from ..errors import FormatError, InputError
from ..frames import Column, to_frame
from .case import Case
from .casefile import Problem, write_plain

__all__ = ["LABEL_COLUMNS", "TABLES", "cases_of_frame", "label_rows", "read_table", "write_table"]

LABEL_COLUMNS = (
    Column("id"),
    Column("query"),
    Column("key"),
    Column("grade", "int"),
    Column("category"),
    Column("bank"),
    Column("cwd"),
    Column("level"),
    Column("keys"),
    Column("notes"),
)
TABLES = {".csv": ",", ".tsv": "\t"}
"""Endings of files that hold a table, and what parts their columns."""
_TEXTS = ("query", "category", "bank", "cwd", "level", "keys", "notes")


def label_rows(cases: Iterable[Case]) -> pd.DataFrame:
    """Return one row per label.

    A null case has one row without key and grade 0, an unlabelled one a row
    without both.
    """
    rows: list[dict[str, Any]] = []
    for case in cases:
        if case.conversation is not None:
            raise InputError(
                f"Case {case.id!r} holds a conversation, which no table can hold. Save the cases "
                "as JSON lines, or leave it out: cases.filter(lambda c: c.conversation is None)."
            )
        base = {"id": case.id, **{name: getattr(case, name) for name in _TEXTS}}
        if case.relevant is None:
            rows.append(base)
        elif not case.relevant:
            rows.append(base | {"grade": 0})
        else:
            rows += [base | {"key": k, "grade": grade} for k, grade in case.relevant.items()]
    return to_frame(rows, LABEL_COLUMNS)


def read_table(path: Path) -> pd.DataFrame:
    """Read a table of labels; every column but the grade is text, as it stands in the file."""
    try:
        table = pd.read_csv(path, sep=TABLES[path.suffix.lower()], dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise FormatError(f"{path} cannot be read as a table: {error}") from error
    if "grade" in table:
        table["grade"] = [_grade(text) for text in table["grade"]]
    return table


def write_table(path: Path, cases: Iterable[Case]) -> None:
    """Write a table of labels; raise InputError for what no table can hold."""
    table = label_rows(cases)
    # A lone carriage return would end the line, unless its cell is quoted.
    returns = any("\r" in str(text) for name in ("id", "key", *_TEXTS) for text in table[name])
    quoting: Literal[0, 1] = csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL
    separator = TABLES[path.suffix.lower()]
    write_plain(
        path, table.to_csv(sep=separator, index=False, lineterminator="\n", quoting=quoting)
    )


def _grade(text: str) -> int | str | None:
    return int(text) if text.strip().removeprefix("-").isdecimal() else text or None


@dataclass
class _Draft:
    line: int
    texts: dict[str, str]
    relevant: dict[str, int] = field(default_factory=dict)
    labelled: bool = False


def cases_of_frame(frame: pd.DataFrame) -> tuple[list[Case], list[Problem]]:
    """Make cases of a table with at least id, query, key and grade; return problems beside them."""
    missing = [name for name in ("id", "query", "key", "grade") if name not in frame.columns]
    if missing:
        raise InputError(
            f"The table has no column {', '.join(map(repr, missing))}; it has "
            f"{', '.join(map(repr, frame.columns))}. Rename its columns: frame.rename(columns=...)."
        )
    drafts: dict[str, _Draft] = {}
    found: list[Problem] = []
    for line, row in enumerate(frame.to_dict("records"), start=2):
        values = {str(k): None if _is_missing(v) else v for k, v in row.items()}
        try:
            _take(drafts, line, values)
        except InputError as error:
            found.append(Problem(line, str(values["id"] or ""), str(error)))
    cases = []
    for name, draft in drafts.items():
        try:
            relevant = draft.relevant if draft.labelled else None
            cases.append(Case(name, relevant=relevant, **draft.texts))  # type: ignore[arg-type]
        except InputError as error:
            found.append(Problem(draft.line, name, str(error)))
    return cases, sorted(found)


def _is_missing(value: object) -> bool:
    return value is None or value == "" or bool(pd.isna(value))  # type: ignore[call-overload]


def _take(drafts: dict[str, _Draft], line: int, row: dict[str, Any]) -> None:
    if row["id"] is None:
        raise InputError("there is no id")
    name = str(row["id"])
    texts = {text: str(row[text]) for text in _TEXTS if row.get(text) is not None}
    draft = drafts.setdefault(name, _Draft(line, texts))
    if texts.get("query", "") != draft.texts.get("query", ""):
        raise InputError(f"the query differs from that of line {draft.line}")
    grade = row["grade"]
    if grade is None:
        if row["key"] is not None:
            raise InputError(f"the key {row['key']!r} has no grade")
        return
    if isinstance(grade, str) or float(grade) != int(grade):
        raise InputError(f"the grade is {grade!r}; a grade is 0, 1, 2, …")
    draft.labelled = True
    if row["key"] is None:
        if int(grade) != 0:
            raise InputError(f"grade {grade} has no key")
        return
    key = str(row["key"])
    if key in draft.relevant:
        raise InputError(f"the key {key!r} occurs twice")
    draft.relevant[key] = int(grade)
