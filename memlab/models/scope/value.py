"""A scope: one value for both backends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Literal, Self, get_args

import pandas as pd

from ...errors import InputError
from ...frames import to_frame
from ...settings import Settings
from ...text.javascript import trim
from ...text.terminal import printable
from .labels import LabelRule, project_label
from .legacy import LegacyBank, search_legacy
from .names import bank_names
from .places import bank_file, directory, shared_file
from .rows import SCOPE_COLUMNS, scope_rows

__all__ = ["Match", "Mode", "Scope"]

Mode = Literal["global", "per-project", "per-project-tagged"]
Match = Literal["any", "all", "any_strict", "all_strict", "exact"]


@dataclass(frozen=True, repr=False)
class Scope:
    """Which banks an agent writes to and recalls from in one directory.

    ``bank`` is written to, ``banks`` are recalled from in this order, ``shared``
    is the bank that all projects recall from (None: there is none). Hindsight
    keeps projects apart by tags: ``retain_tags`` are put on what is written,
    ``recall_tags`` and ``match`` say what is recalled; ``label`` is the
    project's name by ``label_rule``. Mnemopi keeps them apart by banks:
    ``files`` maps each bank to its database, ``legacy`` are the older banks
    looked at. Made by :meth:`mnemopi` and :meth:`hindsight`; nothing is written.
    """

    backend: Literal["mnemopi", "hindsight"]
    mode: Mode
    cwd: str
    bank: str
    banks: tuple[str, ...]
    shared: str | None = None
    label: str | None = None
    label_rule: LabelRule | None = None
    retain_tags: tuple[str, ...] = ()
    recall_tags: tuple[str, ...] = ()
    match: Match | None = None
    files: Mapping[str, Path] = field(default_factory=dict, hash=False)
    legacy: tuple[LegacyBank, ...] = ()

    @classmethod
    def mnemopi(
        cls,
        cwd: str | Path | None = None,
        mode: Mode | None = None,
        *,
        bank: str | None = None,
        path: str | Path | None = None,
        settings: Settings | None = None,
        legacy: bool = True,
    ) -> Self:
        """Return the scope of a Mnemopi agent in a directory, by default the current one.

        ``mode`` and ``bank`` (the base of all names) default to the settings,
        ``path`` (the database of the shared bank) to the agent's own place.
        Bank names depend on the path of the directory alone, never on git, so
        each worktree has a bank of its own. Except under global, older banks
        that hold memories of this directory only are recalled from too;
        ``legacy=False`` leaves the search out.

        Raises InputError for an unknown mode or an impossible path.
        """
        known = Settings.load() if settings is None else settings
        if not isinstance(bank, str | None):
            raise InputError(f"bank={bank!r}: it is the base of all bank names, a text.")
        chosen = _mode(mode, known.mnemopi.scoping)
        where = directory(cwd)
        place = shared_file(path, known)
        names = bank_names(known.mnemopi.bank if bank is None else bank, where, chosen)
        older: tuple[LegacyBank, ...] = ()
        if legacy and chosen != "global":
            older = search_legacy(place, where, names.recall)
        recalled = (*names.recall, *(found.name for found in older if found.taken))
        return cls(
            "mnemopi",
            chosen,
            where,
            names.retain,
            recalled,
            None if chosen == "per-project" else names.shared,
            files={name: bank_file(name, names.shared, place) for name in recalled},
            legacy=older,
        )

    @classmethod
    def hindsight(
        cls,
        cwd: str | Path | None = None,
        mode: Mode | None = None,
        *,
        bank: str | None = None,
        prefix: str | None = None,
        label: LabelRule = "cwd",
        settings: Settings | None = None,
    ) -> Self:
        """Return the scope of a Hindsight agent in a directory, by default the current one.

        ``mode``, ``bank`` (the base of the name) and ``prefix`` default to the
        settings. ``label`` is the rule that names the project: ``"cwd"`` takes
        the last part of the directory, ``"repository"`` the name of the
        primary checkout in small letters.

        Raises InputError for an unknown mode or rule, FormatError for a
        repository that cannot be read.
        """
        known = Settings.load() if settings is None else settings
        for name, value in (("bank", bank), ("prefix", prefix)):
            if not isinstance(value, str | None):
                raise InputError(f"{name}={value!r}: it is a part of the bank's name, a text.")
        chosen = _mode(mode, known.hindsight.scoping)
        where = directory(cwd)
        if label not in get_args(LabelRule):
            raise InputError(f'label={label!r} is no rule; the rules are "cwd" and "repository".')
        project = None if chosen == "global" else project_label(where, label)
        base = _hindsight_base(
            known.hindsight.bank_id if bank is None else bank,
            known.hindsight.bank_id_prefix if prefix is None else prefix,
        )
        name = f"{base}-{project}" if chosen == "per-project" else base
        tags = (f"project:{project}",) if chosen == "per-project-tagged" else ()
        return cls(
            "hindsight",
            chosen,
            where,
            name,
            (name,),
            None if chosen == "per-project" else base,
            project,
            None if project is None else label,
            tags,
            tags,
            "any" if tags else None,
        )

    @property
    def skipped(self) -> tuple[LegacyBank, ...]:
        """Return the banks that were looked at and are not recalled from, each with its reason."""
        return tuple(bank for bank in self.legacy if not bank.taken)

    def frame(self) -> pd.DataFrame:
        """Return one row per bank: role, bank, file, exists, recalled, tags, match, note.

        Roles: retain (written to, and recalled from), shared, recall, legacy,
        skipped. ``exists`` is unknown for a bank on a server.
        """
        return to_frame(scope_rows(self), SCOPE_COLUMNS)

    def __repr__(self) -> str:
        """Show directory, mode and one line per bank."""
        lines = (f"  {row['role']:<8}{row['bank']}: {row['note']}" for row in scope_rows(self))
        return printable(
            "\n".join([f"Scope of {self.backend}, {self.mode}, in {self.cwd}", *lines])
        )

    def _repr_html_(self) -> str:
        """Show one row per bank."""
        return f"<p>{escape(f'{self.backend}, {self.mode}, in {self.cwd}')}</p>{self.frame().to_html()}"


def _mode(mode: Mode | None, usual: Mode) -> Mode:
    chosen = usual if mode is None else mode
    if chosen not in get_args(Mode):
        raise InputError(f"mode={chosen!r} is none; the modes are {', '.join(get_args(Mode))}.")
    return chosen


def _hindsight_base(bank: str | None, prefix: str | None) -> str:
    base, before = trim(bank or "") or "omp", trim(prefix or "")
    return f"{before}-{base}" if before else base
