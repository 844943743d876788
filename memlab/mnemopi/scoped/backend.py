"""The banks of a scope as one backend."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pandas as pd

from ...backends.query import Composed, query_text
from ...errors import InputError, MemoryNotFound
from ...models import Memory, Scope
from ...models.scope.value import Mode
from ...settings import Settings
from ...text.dates import iso_millis
from ..options import RecallOptions
from .asking import Asking, ask_banks
from .fallback import fallback_query
from .listing import ScopedMemories, scope_frame
from .opening import open_banks
from .recall import ScopedRecall
from .stored import stored

__all__ = ["MnemopiScope"]


class MnemopiScope:
    """All banks that a Mnemopi agent recalls from in one directory, read without touching them.

    Give a ``scope``, or what :meth:`Scope.mnemopi` makes one from: ``cwd``,
    ``mode``, ``bank``, ``path``. The banks are copied into memory when this is
    made; a bank that does not exist yet is empty, as it would be for the
    agent, and is not made. A bank that cannot be opened is a failure of every
    recall; the agent would not even start with it.

    Raises InputError for a scope of another backend.
    """

    def __init__(
        self,
        scope: Scope | None = None,
        *,
        cwd: str | Path | None = None,
        mode: Mode | None = None,
        bank: str | None = None,
        path: str | Path | None = None,
        wait: float = 5.0,
        settings: Settings | None = None,
    ) -> None:
        self.settings = Settings.load() if settings is None else settings
        if scope is None:
            scope = Scope.mnemopi(cwd, mode, bank=bank, path=path, settings=self.settings)
        elif any(given is not None for given in (cwd, mode, bank, path)):
            raise InputError("Give a scope, or cwd, mode, bank and path to make one of; not both.")
        if scope.backend != "mnemopi":
            raise InputError(
                f"A scope of {scope.backend} has no Mnemopi banks; make one with Scope.mnemopi()."
            )
        self.scope = scope
        self._wait = wait
        self._banks = open_banks(scope, self.settings, wait)

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        return f"mnemopi:{self.scope.bank} ({self.scope.mode})"

    @property
    def failures(self) -> Mapping[str, Exception]:
        """Return the banks that could not be opened, each with its error."""
        return dict(self._banks.failed)

    def recall(
        self,
        query: str | Composed,
        *,
        fallback: bool = True,
        fallback_vector: Sequence[float] | None = None,
        **options: Any,
    ) -> ScopedRecall:
        """Recall from every bank of the scope and merge, as the agent does.

        One recall per bank, and a second one on the shared bank where there is
        a fallback query; each memory once; by score, time and text; cut to the
        limit, by default that of the settings. ``options`` are those of
        :class:`RecallOptions` and hold for every single recall.
        ``fallback=False`` leaves the second query out. A ``query_vector`` fits
        the query alone; ``fallback_vector`` is that of the fallback query.

        A bank that fails is noted in ``.failures`` of the answer. Where no
        bank answers, raises its error, or AllBanksFailed with the errors of
        all. Raises UnknownOption, InputError or InvalidTime for what cannot
        be asked.
        """
        query = query_text(query)
        given = {"limit": self.settings.mnemopi.recall_limit, **options}
        given["now"] = given.get("now") or iso_millis(datetime.now(UTC))
        checked = RecallOptions.of(given)
        if checked.limit < 1:
            raise InputError(f"limit={checked.limit:g}: the agent recalls at least 1 memory.")
        second = fallback_query(query, self.scope.bank, self.scope.shared) if fallback else None
        start = time.perf_counter()
        answer = ask_banks(
            self.scope,
            self._banks,
            Asking(query, second, fallback_vector, {**given, "limit": math.floor(checked.limit)}),
        )
        in_force = {**given, **checked.model_dump(), "fallback": fallback}
        seconds = time.perf_counter() - start
        return replace(answer, backend=self.name, options=in_force, seconds=seconds)

    def memories(self, *, now: datetime | str | None = None) -> ScopedMemories:
        """Return all stored memories of the banks, in the order of recall.

        The frame begins with the bank. Raises the error of a bank that could not be opened.
        """
        for error in self._banks.failed.values():
            raise error
        found = [
            (memory, name)
            for name, bank in self._banks.opened.items()
            for memory in bank.memories(now=now)
        ]
        return ScopedMemories([memory for memory, _ in found], [name for _, name in found])

    def get(self, key: str, *, now: datetime | str | None = None) -> Memory:
        """Return one memory with its full row, from the first bank that has it.

        Banks are looked through in the order of :meth:`lookup`. Raises MemoryNotFound.
        """
        for name in self._look_up_order():
            try:
                return self._banks.opened[name].get(key, now=now)
            except MemoryNotFound:
                continue
        raise MemoryNotFound(
            f"No memory {key!r} in the banks of the scope ({', '.join(self.scope.banks)}). "
            "See .memories().frame(); .lookup() finds facts too."
        )

    def lookup(self, key: str) -> Mapping[str, Any] | None:
        """Return what the agent's ``memory://ID`` shows of a memory or fact, or None.

        A mapping with ``bank``, ``store`` (working, episodic or fact) and
        ``row``, from the first bank that has it: the retain bank, those
        recalled from, the shared one.
        """
        for name in self._look_up_order():
            found = self._banks.opened[name].lookup(key)
            if found is not None:
                return stored(name, key, found)
        return None

    def _look_up_order(self) -> list[str]:
        names = dict.fromkeys((self.scope.bank, *self.scope.banks))
        return [name for name in names if name in self._banks.opened]

    def frame(self) -> pd.DataFrame:
        """Return the scope's frame, with the number of memories and facts of each bank.

        ``problem`` says why a bank could not be opened.
        """
        return scope_frame(self.scope, self._banks)

    def refresh(self) -> Self:
        """Copy the banks again, to see what was written since; return the backend."""
        fresh = open_banks(self.scope, self.settings, self._wait)
        self.close()
        self._banks = fresh
        return self

    def close(self) -> None:
        """Release the copies in memory."""
        for bank in self._banks.opened.values():
            bank.close()

    def __enter__(self) -> Self:
        """Use the backend in a with statement."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the copies in memory."""
        self.close()

    def __repr__(self) -> str:
        """Show directory, mode and banks."""
        banks = ", ".join(self.scope.banks)
        return f"MnemopiScope({self.scope.cwd!r}, {self.scope.mode}: {banks})"
