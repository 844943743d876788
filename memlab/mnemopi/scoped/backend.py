"""The banks of a scope as one backend."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import pandas as pd

from ...backends.closing import Closing
from ...backends.query import Composed, query_text
from ...errors import InputError, MemoryNotFound
from ...models import Memory, Scope
from ...models.scope.value import Mode
from ...settings import Settings
from ...text.dates import iso_millis
from ..bank import Mnemopi, known_engine
from ..configured import configured
from ..embedding import Embedder, embed_query
from ..engine import Engine
from ..options import RecallOptions
from ..past.written import Clock
from ..querying import Mismatch, check_mismatch
from ..real import RealEngine
from .asking import Asking, ask_banks
from .fallback import fallback_query
from .listing import ScopedMemories, scope_frame
from .opening import OpenBanks, open_banks
from .recall import ScopedRecall
from .stored import stored
from .vectors import Once, fallback_choice

if TYPE_CHECKING:
    from .past import PastScope

__all__ = ["MnemopiScope"]


class MnemopiScope(Closing):
    """All banks that a Mnemopi agent recalls from in one directory, read without touching them.

    Give a ``scope``, or what :meth:`Scope.mnemopi` makes one from: ``cwd``,
    ``mode``, ``bank``, ``path``. The banks are copied into memory when this is
    made; a bank that does not exist yet is empty, as it would be for the
    agent, and is not made. A bank that cannot be opened is a failure of every
    recall; the agent would not even start with it.

    ``embedder`` is any callable from a list of texts to their vectors; it
    embeds the query and the fallback query. ``engine="omp"`` lets the real
    engine recall from each bank, on copies, in one process of its own (or in
    an Engine that is running already); the merging stays memlab's.

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
        embedder: Embedder | None = None,
        engine: Literal["memlab", "omp"] | Engine = "memlab",
        wait: float = 5.0,
        settings: Settings | None = None,
    ) -> None:
        self.settings = Settings.load() if settings is None else settings
        if scope is None:
            scope = Scope.mnemopi(cwd, mode, bank=bank, path=path, settings=self.settings)
        elif any(given is not None for given in (cwd, mode, bank, path)):
            raise InputError("Give a scope, or cwd, mode, bank and path to make one of; not both.")
        if not isinstance(scope, Scope):
            raise InputError(f"scope={scope!r} is no Scope. For a directory give cwd={scope!r}.")
        if scope.backend != "mnemopi":
            raise InputError(
                f"A scope of {scope.backend} has no Mnemopi banks; make one with Scope.mnemopi()."
            )
        self.scope = scope
        self.embedder = embedder
        self.engine = known_engine(engine)
        self._wait = wait
        self._banks = self._opened(scope)

    def _opened(self, scope: Scope) -> OpenBanks:
        return open_banks(scope, self.settings, self._wait, self.embedder, self.engine)

    @property
    def _clock(self) -> str | None:
        """The instant that counts as now where a call names none; None is the real clock."""
        return None

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        return f"mnemopi:{self.scope.bank} ({self.scope.mode})"

    @property
    def opened(self) -> Mapping[str, Mnemopi]:
        """Return the banks that were opened, by name, in the order of recall; they are the scope's."""
        return dict(self._banks.opened)

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
        embedder: Embedder | None = None,
        on_width_mismatch: Mismatch = "raise",
        **options: Any,
    ) -> ScopedRecall:
        """Recall from every bank of the scope and merge, as the agent does.

        One recall per bank, and a second one on the shared bank where there is
        a fallback query; each memory once; by score, time and text; cut to the
        limit, by default that of the settings. ``options`` are those of
        :class:`RecallOptions` and hold for every single recall.
        ``fallback=False`` leaves the second query out.

        Both queries are embedded by ``embedder``, by default the scope's, each
        once. A ``query_vector`` fits the query alone (None: by words, the
        fallback query too); ``fallback_vector`` is that of the fallback query.
        ``on_width_mismatch`` is what to do with a bank where no stored vector
        is as wide: "raise", recall from it by "words" and say so in the notes,
        or pad with zeros as the "engine" does.

        A bank that fails is noted in ``.failures`` of the answer. Where no
        bank answers, raises its error, or AllBanksFailed with the errors of
        all. Raises UnknownOption, InputError or InvalidTime for what cannot
        be asked.
        """
        check_mismatch(on_width_mismatch)
        ours = self.settings.mnemopi
        given = {"limit": ours.recall_limit, **configured(ours), **options}
        if given.get("now") is None:
            given["now"] = self._clock or iso_millis(datetime.now(UTC))
        checked = RecallOptions.of(given)
        if checked.limit < 1:
            raise InputError(f"limit={checked.limit:g}: the agent recalls at least 1 memory.")
        chosen = embedder or self.embedder
        own = fallback_choice(options, fallback_vector, chosen)
        asked = {**given, "limit": math.floor(checked.limit)}
        if "query_vector" in given:
            asked["query_vector"] = checked.query_vector
        asking = Asking(query_text(query), asked, own, chosen and Once(chosen), on_width_mismatch)
        in_force = {**given, **checked.model_dump(), "fallback": fallback}
        return self._ask(self._with_fallback(asking) if fallback else asking, in_force)

    def _with_fallback(self, asking: Asking) -> Asking:
        second = fallback_query(asking.query, self.scope.bank, self.scope.shared)
        return replace(asking, fallback=second)

    def _ask(self, asking: Asking, in_force: Mapping[str, Any]) -> ScopedRecall:
        self._share_engine()
        start = time.perf_counter()
        vectors = self._vectors(asking)
        answer = ask_banks(self.scope, self._banks, asking)
        seconds = time.perf_counter() - start
        name = self.name if self.engine == "memlab" else f"{self.name} (real engine)"
        return replace(answer, backend=name, options={**in_force, **vectors}, seconds=seconds)

    def _vectors(self, asking: Asking) -> dict[str, Any]:
        """Return the vectors that are asked with and are not among the options.

        What is to be embedded is embedded here: an embedder that fails is no bank that fails.
        """
        found: dict[str, Any] = {}
        banks = self._banks.opened
        if asking.embedder and "query_vector" not in asking.options and banks:
            found["query_vector"] = embed_query(asking.embedder, asking.query)
        if asking.fallback is None or self.scope.shared not in banks:
            return found
        if asking.own.get("query_vector"):
            found["fallback_vector"] = asking.own["query_vector"]
        elif asking.embedder and not asking.own:
            found["fallback_vector"] = embed_query(asking.embedder, asking.fallback)
        return found

    def _share_engine(self) -> None:
        """Let one process of the real engine answer for all banks; it ends with the last of them."""
        waiting = [b for b in self._banks.opened.values() if b.engine == "omp" and b._real is None]
        if waiting:
            engine = Engine.start()
            for bank in waiting:
                bank._real = RealEngine(bank.snapshot, bank.bank, engine)

    def as_of(self, time: datetime | str, *, by: Clock | None = None) -> PastScope:
        """Return the scope as the agent would have seen it at an earlier time.

        Every bank as its own :meth:`Mnemopi.as_of` gives it, with the clock at
        that time; a legacy bank only if the agent would have found it then.
        ``.notes`` say bank by bank what cannot be known any more. ``by`` is the
        column that tells when rows were written; without it, each bank decides.

        Raises InputError if ``time`` is no time.
        """
        from .past import PastScope

        return PastScope(self, time, by)

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
        fresh = self._opened(self.scope)
        self.close()
        self._banks = fresh
        return self

    def close(self) -> None:
        """Release the copies in memory."""
        for bank in self._banks.opened.values():
            bank.close()

    def __repr__(self) -> str:
        """Show directory, mode and banks."""
        banks = ", ".join(self.scope.banks)
        return f"MnemopiScope({self.scope.cwd!r}, {self.scope.mode}: {banks})"
