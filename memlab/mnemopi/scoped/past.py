"""The past of a scope as a scope of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Self

from ...models import LegacyBank, Scope
from ...models.scope.names import DEFAULT
from ..bank import Mnemopi
from ..past import PastBank
from ..past.written import Clock, check_clock
from ..reading import moment
from .backend import MnemopiScope
from .legacy import LEGACY_LIMIT, judged_by_rows, names_directory
from .opening import OpenBanks

__all__ = ["PastScope"]

_EMPTY = "nothing in it was written by then; it counts as empty"
_DROPPED = "as the agent looks for legacy banks, it was none yet, so it is not recalled from"
_JOINED = "it named this directory only then, and is recalled from as a legacy bank"


class PastScope(MnemopiScope):
    """A scope as the agent would have seen it at an earlier time; made by :meth:`MnemopiScope.as_of`.

    Every bank is a :class:`PastBank`, and the clock stands at ``time`` unless
    a call says otherwise. The rules that name and find banks are today's; a
    legacy bank is judged by the rows it had then. ``notes`` tell in sentences,
    each with its bank, what cannot be known any more. ``written_by`` maps each
    bank to the column that says when its rows were written.
    """

    def __init__(self, scope: MnemopiScope, time: datetime | str, by: Clock | None = None) -> None:
        check_clock(by)
        self.settings, self.embedder = scope.settings, scope.embedder
        self.engine, self._wait = scope.engine, scope._wait
        self._today = scope.scope
        self._asked_by = by
        self.time = moment(time)
        self._turn_back(scope._banks)

    def _turn_back(self, banks: OpenBanks) -> None:
        past = {name: self._past(bank) for name, bank in banks.opened.items()}
        legacy = tuple(
            self._judged_then(bank, past, place) for place, bank in enumerate(self._today.legacy)
        )
        self.scope = _scope_then(self._today, legacy)
        left = {name: past[name] for name in self.scope.banks if name in past}
        self._banks = OpenBanks(dict[str, Mnemopi](left), dict(banks.absent), dict(banks.failed))
        self.written_by: Mapping[str, Clock] = {n: bank.written_by for n, bank in left.items()}
        self.notes = tuple(_notes(self._today, self.scope, left))

    def _past(self, bank: Mnemopi) -> PastBank:
        return PastBank(bank, self.time, self._asked_by)

    def _judged_then(self, bank: LegacyBank, past: dict[str, PastBank], place: int) -> LegacyBank:
        """Judge a legacy bank by the rows of then; one that is taken only then is opened."""
        cwd = self._today.cwd
        if place >= LEGACY_LIMIT or bank.name == DEFAULT:
            return bank  # not looked at; or another file is read than the search looks at
        if bank.taken:
            then = past.get(bank.name)
            return bank if then is None else judged_by_rows(bank, then.snapshot, cwd)
        if not names_directory(bank.path, cwd):
            return bank
        alone = replace(self._today, banks=(bank.name,), files={bank.name: bank.path})
        for opened in self._opened(alone).opened.values():
            past[bank.name] = self._past(opened)
            opened.close()
            return judged_by_rows(bank, past[bank.name].snapshot, cwd)
        return bank

    @property
    def _clock(self) -> str | None:
        return self.time

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        return f"{super().name} at {self.time[:16]}"

    def refresh(self) -> Self:
        """Copy the banks again and turn them back again; return the backend."""
        fresh = self._opened(self._today)
        self.close()
        self._turn_back(fresh)
        for bank in fresh.opened.values():
            bank.close()
        return self

    def __repr__(self) -> str:
        """Show directory, mode, banks, time, and what cannot be known."""
        banks = ", ".join(self.scope.banks)
        head = f"PastScope({self.scope.cwd!r}, {self.scope.mode}: {banks}, time={self.time!r})"
        return "\n".join([head, *(f"  note: {note}" for note in self.notes)])


def _scope_then(today: Scope, legacy: tuple[LegacyBank, ...]) -> Scope:
    """Return the scope with the legacy banks of then."""
    looked_at = {bank.name for bank in today.legacy}
    kept = [name for name in today.banks if name not in looked_at]
    older = {bank.name: bank.path for bank in legacy if bank.taken}
    files = {name: today.files[name] for name in today.files if name in kept}
    older = {name: today.files.get(name, path) for name, path in older.items()}
    return replace(today, banks=(*kept, *older), files=files | older, legacy=legacy)


def _notes(today: Scope, then: Scope, past: Mapping[str, PastBank]) -> Iterator[str]:
    for name, bank in past.items():
        if name not in today.banks:
            yield f"bank {name}: {_JOINED}"
        if not _count(bank):
            yield f"bank {name}: {_EMPTY}"
        yield from (f"bank {name}: {note}" for note in bank.notes)
    yield from (f"bank {name}: {_DROPPED}" for name in _missing(today.banks, then.banks))


def _missing(before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    there = set(after)
    return (name for name in before if name not in there)


def _count(bank: PastBank) -> int:
    tables = ("working_memory", "episodic_memory", "facts")
    total = " + ".join(f"(SELECT count(*) FROM {table})" for table in tables)
    return int(bank.snapshot.rows(f"SELECT {total} AS n")[0]["n"])
