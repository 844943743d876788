"""Who shares memories with whom: scopes of several directories beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import pandas as pd

from ...errors import FormatError, InputError
from ...frames import Column, to_frame
from ...settings import Settings
from .labels import LabelRule
from .places import directory
from .repository import primary_root
from .value import Mode, Scope

__all__ = ["ScopeReport", "reads", "scope_report"]

Backend = Literal["mnemopi", "hindsight"]
COLUMNS = (
    Column("cwd"),
    Column("project"),
    Column("backend"),
    Column("mode"),
    Column("label_rule"),
    Column("label"),
    Column("labels_differ", "bool"),
    Column("bank"),
    Column("tags"),
    Column("recalls"),
    Column("shares_with", "object"),
    Column("collides_with", "object"),
    Column("split_from", "object"),
    Column("problem"),
)


def reads(reader: Scope, writer: Scope) -> bool:
    """Tell whether a recall in one scope can see what was retained in the other.

    Both are of one backend. Mnemopi: the bank is recalled from, legacy banks
    included. Hindsight: the bank is the same and the tags match; ``any`` and
    ``all`` also give what has no tag, the strict ones do not.
    """
    if reader.backend != writer.backend:
        return False
    if reader.backend == "mnemopi":
        return writer.bank in reader.banks
    return writer.bank in reader.banks and _tags_match(reader, writer.retain_tags)


def _tags_match(reader: Scope, tags: Sequence[str]) -> bool:
    asked, stored = set(reader.recall_tags), set(tags)
    if reader.match == "exact":
        return asked == stored
    if reader.match is None or not asked:
        return True
    if not stored:
        return not reader.match.endswith("_strict")
    return asked <= stored if reader.match.startswith("all") else bool(asked & stored)


class _Maker(Protocol):
    def __call__(self, cwd: str, mode: Mode, rule: LabelRule | None) -> Scope: ...


@dataclass(frozen=True)
class _Row:
    """One directory under one mode, backend and rule; no scope where there is a problem."""

    cwd: str
    project: str
    backend: Backend
    mode: Mode
    rule: LabelRule | None
    scope: Scope | None
    problem: str | None = None

    @property
    def group(self) -> tuple[str, str, str | None]:
        return self.backend, self.mode, self.rule


@dataclass(frozen=True, repr=False)
class ScopeReport:
    """The scopes of several directories; ``frame`` compares them, ``matrix`` shows who sees whom."""

    rows: tuple[_Row, ...]

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Return the scopes, in the order of the rows."""
        return tuple(row.scope for row in self.rows if row.scope is not None)

    def frame(self) -> pd.DataFrame:
        """Return one row per directory, mode, backend and label rule.

        ``project`` is the root of the primary checkout, else the directory.
        ``shares_with`` are the other directories whose memories are seen here,
        or that see the memories of here. ``collides_with`` are those of
        another project among them (not under global, where sharing is meant);
        ``split_from`` are directories of the same project that are not.
        ``labels_differ`` tells whether the two label rules disagree here.
        ``problem`` says why there is no scope.
        """
        return to_frame(self._records(), COLUMNS)

    def __repr__(self) -> str:
        """Show how many directories fall apart or meet; ``frame()`` and ``matrix()`` say where."""
        return f"ScopeReport({self._said()})"

    def _repr_html_(self) -> str:
        """Show one row per directory, mode, backend and label rule."""
        return f"<p>{escape(self._said())}</p>{self.frame().to_html()}"

    def _said(self) -> str:
        rows = list(self._records())
        count = len({row["cwd"] for row in rows})
        said = [f"{count} director{'y' if count == 1 else 'ies'}, {len(rows)} rows"]
        for name, what in (
            ("split_from", "split from their own project somewhere"),
            ("collides_with", "sharing with another project somewhere"),
            ("problem", "with a problem"),
        ):
            if found := {row["cwd"] for row in rows if row.get(name)}:
                said.append(f"{len(found)} {what}")
        return "; ".join(said)

    def _records(self) -> Iterator[dict[str, Any]]:
        for row in self.rows:
            head = {name: getattr(row, name) for name in ("cwd", "project", "backend", "mode")}
            yield head | {"label_rule": row.rule, "problem": row.problem} | self._compared(row)

    def _compared(self, row: _Row) -> dict[str, Any]:
        scope = row.scope
        if scope is None:
            return {}
        others = [
            (other, reads(scope, other.scope) or reads(other.scope, scope))
            for other in self.rows
            if other.group == row.group and other.cwd != row.cwd and other.scope is not None
        ]
        shared = [other for other, joined in others if joined]
        meant = scope.mode == "global"
        return {
            "label": scope.label,
            "labels_differ": self._labels_differ(row),
            "bank": scope.bank,
            "tags": ", ".join(scope.retain_tags) or None,
            "recalls": ", ".join(scope.banks),
            "shares_with": tuple(other.cwd for other in shared),
            "collides_with": tuple(
                other.cwd for other in shared if other.project != row.project and not meant
            ),
            "split_from": tuple(
                other.cwd for other, joined in others if other.project == row.project and not joined
            ),
        }

    def _labels_differ(self, row: _Row) -> bool | None:
        labels = {
            other.scope.label
            for other in self.rows
            if other.scope is not None
            and (other.cwd, *other.group[:2]) == (row.cwd, *row.group[:2])
        }
        return None if None in labels else len(labels) > 1

    def matrix(self, backend: Backend, mode: Mode, label: LabelRule | None = None) -> pd.DataFrame:
        """Return a table of booleans: retained in the row's directory, recalled in the column's.

        ``label`` is the rule for Hindsight, by default the first one in the
        report. Raises InputError where the report has no such scopes.
        """
        rows = [row for row in self.rows if (row.backend, row.mode) == (backend, mode)]
        rule = label if label is not None else next((row.rule for row in rows), None)
        scopes = [row.scope for row in rows if row.rule == rule and row.scope is not None]
        if not scopes:
            raise InputError(f"The report has no scopes of {backend}, {mode}, label={label!r}.")
        seen = {reader.cwd: [reads(reader, writer) for writer in scopes] for reader in scopes}
        index = pd.Index([writer.cwd for writer in scopes], name="retained in")
        return pd.DataFrame(seen, index=index, dtype="boolean").rename_axis(columns="recalled in")


def scope_report(
    cwds: Iterable[str | Path],
    modes: Sequence[Mode] = get_args(Mode),
    *,
    backends: Sequence[Backend] = ("mnemopi", "hindsight"),
    labels: Sequence[LabelRule] = get_args(LabelRule),
    bank: str | None = None,
    prefix: str | None = None,
    path: str | Path | None = None,
    settings: Settings | None = None,
) -> ScopeReport:
    """Compare the scopes of directories under every mode, backend and label rule.

    ``bank``, ``prefix``, ``path`` and ``settings`` are those of
    :meth:`Scope.mnemopi` and :meth:`Scope.hindsight`. A directory whose
    repository cannot be read gives a row with a problem, not an error.

    Raises InputError for what is no list of directories, modes, backends or rules.
    """
    _check_list("cwds", cwds)
    for name, asked, allowed in (
        ("modes", modes, get_args(Mode)),
        ("backends", backends, get_args(Backend)),
        ("labels", labels, get_args(LabelRule)),
    ):
        _check_list(name, asked)
        if not set(asked) <= set(allowed):
            raise InputError(f"{name}={asked!r} is not a list of {', '.join(allowed)}.")
    known = Settings.load() if settings is None else settings

    def scope_of(cwd: str, mode: Mode, rule: LabelRule | None) -> Scope:
        if rule is None:
            return Scope.mnemopi(cwd, mode, bank=bank, path=path, settings=known)
        return Scope.hindsight(cwd, mode, bank=bank, prefix=prefix, label=rule, settings=known)

    rows = [
        _row(scope_of, cwd, backend, mode, rule)
        for cwd in dict.fromkeys(map(directory, cwds))
        for backend in backends
        for mode in modes
        for rule in (labels if backend == "hindsight" else (None,))
    ]
    return ScopeReport(tuple(rows))


def _check_list(name: str, value: object) -> None:
    """Refuse a single text, through whose letters Python would walk, and what is no list."""
    if isinstance(value, str | Path) or not isinstance(value, Iterable):
        raise InputError(f"{name}={value!r} is not a list.")


def _row(scope_of: _Maker, cwd: str, backend: Backend, mode: Mode, rule: LabelRule | None) -> _Row:
    project = _project(cwd)
    try:
        return _Row(cwd, project, backend, mode, rule, scope_of(cwd, mode, rule))
    except FormatError as error:
        return _Row(cwd, project, backend, mode, rule, None, str(error))


def _project(cwd: str) -> str:
    try:
        return str(primary_root(cwd) or cwd)
    except FormatError:
        return cwd
