"""Labelled questions, as one value."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

import pandas as pd

from ..backends import Backend
from ..errors import FormatError, InputError
from ..files import expanded
from ..frames import Column, to_frame
from .case import Case
from .casefile import Problem, complaint, read_cases, write_cases
from .casetable import TABLES, cases_of_frame, label_rows, read_table, write_table
from .checking import check_cases
from .qrels import read_qrels, read_queries, write_qrels, write_queries

__all__ = ["CASE_COLUMNS", "Cases"]

CASE_COLUMNS = (
    Column("id"),
    Column("kind"),
    Column("category"),
    Column("query"),
    Column("relevant", "object"),
    Column("bank"),
    Column("cwd"),
    Column("level"),
    Column("keys"),
    Column("notes"),
)
PROBLEM_COLUMNS = (Column("line", "int"), Column("case"), Column("problem"))


class Cases(Sequence[Case]):
    """Labelled questions in order; each id occurs once.

    Make them from a file (:meth:`load`), from :class:`Case` values, or from a
    bank (:func:`self_labelled`). ``cases["id"]`` gives one by its id. Cases
    that were read leniently carry what was wrong with the others in
    ``problems``.
    """

    def __init__(self, cases: Iterable[Case], *, problems: Iterable[Problem] = ()) -> None:
        """Take the cases in order; raise InputError where an id occurs twice."""
        self._cases = tuple(cases)
        self._problems = tuple(problems)
        twice = [name for name, n in Counter(case.id for case in self._cases).items() if n > 1]
        if twice:
            raise InputError(
                f"{len(twice)} ids occur more than once, such as {twice[0]!r}. "
                "Give each case an id of its own."
            )
        self._places = {case.id: place for place, case in enumerate(self._cases)}

    @classmethod
    def load(cls, path: str | Path, *, strict: bool = True) -> Cases:
        """Read a file of JSON lines, or a table (.csv, .tsv) with a row per label.

        Raises FormatError with all problems at once; with ``strict=False`` the
        good cases are returned and ``problems`` has the rest.
        """
        path = expanded(path)
        is_table = path.suffix.lower() in TABLES and path.is_file()
        cases, found = cases_of_frame(read_table(path)) if is_table else read_cases(path)
        if found and strict:
            raise complaint(path, found)
        return cls(cases, problems=found)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Cases:
        """Make cases of a frame with a row per label, as :meth:`labels` gives it.

        Needed columns: id, query, key, grade. Raises FormatError with all problems.
        """
        cases, found = cases_of_frame(frame)
        if found:
            raise complaint("The frame", found)
        return cls(cases)

    @classmethod
    def from_trec(cls, qrels: str | Path, queries: str | Path, **fields: Any) -> Cases:
        """Read TREC qrels, and the queries' texts (id, tab, text); ``fields`` go to every case.

        Queries without qrels are unlabelled. Raises FormatError for qrels
        without a query.
        """
        labels, texts = read_qrels(qrels), read_queries(queries)
        strange = sorted(set(labels) - set(texts))
        if strange:
            raise FormatError(
                f"{qrels} judges {len(strange)} queries, such as {strange[0]!r}, that {queries} "
                "does not have."
            )
        return cls(Case(name, text, labels.get(name), **fields) for name, text in texts.items())

    def check(self, backend: Backend | None = None) -> pd.DataFrame:
        """Return what is doubtful about the cases: case, problem, key; empty where nothing is.

        The same question with other labels, labels that are all 0, and, with a
        bank, labels that none of its memories and facts answers to.
        """
        return check_cases(self, backend)

    def save(self, path: str | Path) -> Path:
        """Write the cases as JSON lines, or to a .csv or .tsv as a row per label; return the path."""
        path = expanded(path)
        if path.suffix.lower() in TABLES:
            write_table(path, self._cases)
        else:
            write_cases(path, self._cases)
        return path

    def to_trec(self, folder: str | Path) -> Path:
        """Write ``qrels.txt`` and ``queries.tsv`` into a folder; return the folder."""
        folder = expanded(folder)
        write_qrels(folder / "qrels.txt", self.qrels())
        write_queries(folder / "queries.tsv", {case.id: case.query for case in self})
        return folder

    def qrels(self) -> dict[str, dict[str, int]]:
        """Return the labels as ir-measures, pytrec_eval and ``ranx.Qrels`` take them.

        Query id to key to grade; only labelled cases.
        """
        return {case.id: dict(case.relevant or {}) for case in self if case.kind == "labelled"}

    def labels(self) -> pd.DataFrame:
        """Return one row per label: id, query, key, grade, category, bank, cwd, level, keys, notes.

        A null case has one row without key and grade 0, an unlabelled one a row
        without both.
        """
        return label_rows(self._cases)

    @property
    def problems(self) -> pd.DataFrame:
        """Return what could not be read: line, case, problem."""
        return to_frame((problem._asdict() for problem in self._problems), PROBLEM_COLUMNS)

    def frame(self) -> pd.DataFrame:
        """Return one row per case: id, kind, category, query, relevant, bank, cwd, level, keys, notes."""
        names = [column.name for column in CASE_COLUMNS]
        return to_frame(({n: getattr(case, n) for n in names} for case in self), CASE_COLUMNS)

    def counts(self, by: str = "category") -> pd.Series[int]:
        """Return how many cases there are of each category, kind, bank, level or keys."""
        return pd.Series(
            Counter(str(_field(case, by)) for case in self), dtype="int64"
        ).sort_index()

    def filter(self, keep: Callable[[Case], bool] | None = None, **fields: Any) -> Cases:
        """Return the cases whose fields have these values, or that ``keep`` accepts.

        A list, set or tuple allows any of its values:
        ``cases.filter(kind="labelled", category=["update", "temporal"])``.
        """
        allowed = {
            # Labels cannot be in a set, and are few.
            name: (list if name == "relevant" else set)(
                value if isinstance(value, list | set | tuple) else [value]
            )
            for name, value in fields.items()
        }
        return Cases(
            case
            for case in self
            if all(_field(case, name) in values for name, values in allowed.items())
            and (keep is None or keep(case))
        )

    def mapped(self, keys: Mapping[str, Iterable[str]], kind: str = "id") -> Cases:
        """Return the cases with other keys for the same things, such as the lines a memory came from.

        Every relevant key gives its grade to the keys it is mapped to; one that
        is not mapped is lost, and a labelled case that loses all is unlabelled.
        ``kind`` says what the new keys are.
        """
        return Cases(_mapped(case, keys, kind) for case in self)

    def sample(self, n: int, *, seed: int = 0) -> Cases:
        """Return ``n`` cases drawn by chance, in their old order; the same for the same seed."""
        if not 0 <= n <= len(self):
            raise InputError(f"n={n} cases cannot be drawn from {len(self)}.")
        drawn = sorted(random.Random(seed).sample(range(len(self)), n))
        return Cases(self._cases[place] for place in drawn)

    def split(self, folds: int = 2, *, seed: int = 0, by: str = "category") -> list[Cases]:
        """Divide the cases into folds of like size, each with its share of every category."""
        if not 1 <= folds <= max(len(self), 1):
            raise InputError(f"{len(self)} cases cannot be divided into {folds} folds.")
        order = list(range(len(self)))
        random.Random(seed).shuffle(order)
        order.sort(key=lambda place: str(_field(self._cases[place], by)))
        parts = [sorted(order[fold::folds]) for fold in range(folds)]
        return [Cases(self._cases[place] for place in part) for part in parts]

    def __add__(self, other: Cases) -> Cases:
        """Return the cases of both."""
        return Cases([*self, *other])

    @overload
    def __getitem__(self, index: int | str) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> Cases: ...
    def __getitem__(self, index: int | str | slice) -> Case | Cases:
        """Return a case by its place or its id, or a slice of the cases."""
        if isinstance(index, str):
            if index not in self._places:
                raise InputError(f"There is no case {index!r}. cases.ids lists them.")
            return self._cases[self._places[index]]
        if isinstance(index, slice):
            return Cases(self._cases[index])
        return self._cases[index]

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self._cases)

    def __iter__(self) -> Iterator[Case]:
        """Iterate over the cases."""
        return iter(self._cases)

    def __contains__(self, item: object) -> bool:
        """Tell whether a case, or a case of that id, is among them."""
        return item in (self._places if isinstance(item, str) else self._cases)

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids, in order."""
        return tuple(self._places)

    def __eq__(self, other: object) -> bool:
        """Compare case by case."""
        return isinstance(other, Cases) and self._cases == other._cases

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show how many there are of each kind and category."""
        if not self._cases and not self._problems:
            return "0 cases"
        kinds = Counter(case.kind for case in self)
        of_kind = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
        of_category = Counter(case.category or "-" for case in self)
        categories = ", ".join(f"{name} {n}" for name, n in sorted(of_category.items()))
        wrong = f"; {len(self._problems)} lines could not be read" if self._problems else ""
        return f"{len(self)} cases ({of_kind}): {categories}{wrong}; .frame() shows them"


def _mapped(case: Case, keys: Mapping[str, Iterable[str]], kind: str) -> Case:
    if case.kind != "labelled":
        return replace(case, keys=kind)
    grades: dict[str, int] = {}
    for key, grade in (case.relevant or {}).items():
        for other in keys.get(key, ()):
            grades[other] = max(grade, grades.get(other, 0))
    found = grades if any(grades.values()) else None
    return replace(case, relevant=found, keys=kind)


def _field(case: Case, name: str) -> Any:
    if not hasattr(case, name):
        names = ", ".join(column.name for column in CASE_COLUMNS)
        raise InputError(f"A case has no field {name!r}. Fields: {names}.")
    return getattr(case, name)
