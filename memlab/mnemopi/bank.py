"""A Mnemopi bank: the door to everything that can be asked of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..errors import BankReadOnly, InputError
from ..models import Facts, Memories, Memory
from ..settings import Settings, mnemopi_path
from ..text.dates import iso_millis
from .counting import write_counts
from .files import signature
from .info import BankInfo, describe
from .lookup import look_up, standing_context
from .options import RecallOptions
from .pipeline import prepare, run_recall
from .reading import find, read_facts, read_memories
from .result import MnemopiRecall, answer
from .snapshot import Snapshot

__all__ = ["Mnemopi"]


class Mnemopi:
    """A Mnemopi bank at one moment, read without touching it.

    ``path`` is the database file; without it, the agent's own database is
    found by the settings. ``bank`` is the session whose memories are visible:
    by default the folder's name (``banks/NAME/mnemopi.db``), the configured
    bank for the agent's own database, else the session with the most memories.

    The bank is copied into memory when it is opened, consistently, even while
    the agent writes to it; :meth:`refresh` takes a new copy. Nothing is ever
    written, unless it was opened with ``writable=True`` and a call says so.

    Raises an error of the BankError family where the file cannot be read.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        bank: str | None = None,
        writable: bool = False,
        wait: float = 5.0,
        settings: Settings | None = None,
    ) -> None:
        self.settings = Settings.load() if settings is None else settings
        own = mnemopi_path(self.settings)
        self.path = own if path is None else Path(path).expanduser()
        self.writable = writable
        self._wait = wait
        if writable:
            _refuse_own(self.path, own)
        self._snapshot = Snapshot(self.path, wait)
        self.bank = bank or self._usual_bank(own)

    def _usual_bank(self, own: Path) -> str:
        if self.path.parent.parent.name == "banks":
            return self.path.parent.name
        if self.path == own:
            return self.settings.mnemopi.bank or "default"
        return self._snapshot.main_session() or "default"

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        return f"mnemopi:{self.bank}"

    @property
    def snapshot(self) -> Snapshot:
        """Return the copy in memory that every question is asked of."""
        return self._snapshot

    def memories(self, *, now: datetime | str | None = None) -> Memories:
        """Return all stored memories, of every session and state.

        ``now`` is the instant at which expiry is judged; by default the clock.
        """
        return Memories(list(read_memories(self._snapshot, _instant(now))))

    def facts(self) -> Facts:
        """Return all extracted facts."""
        return Facts(list(read_facts(self._snapshot)))

    def get(self, key: str, *, now: datetime | str | None = None) -> Memory:
        """Return one memory, with its full row as ``.raw``.

        Raises MemoryNotFound, which names ids that look alike.
        """
        return find(self._snapshot, key, _instant(now))

    def lookup(self, key: str) -> Mapping[str, Any] | None:
        """Return what the engine's own ``get`` returns for an id, or None: what memory://ID shows.

        Unlike :meth:`get` it also finds facts, and it does not see episodic
        memories of other sessions.
        """
        return look_up(self._snapshot, key, self.bank)

    def standing_context(
        self, limit: int = 10, *, now: datetime | str | None = None
    ) -> list[Mapping[str, Any]]:
        """Return the working memories that the engine offers without any query.

        Global ones first, then by importance and time.
        """
        return list(standing_context(self._snapshot, self.bank, _instant(now), limit))

    def info(self, *, now: datetime | str | None = None) -> BankInfo:
        """Return the bank in numbers: counts by tier and state, vectors, size, schema."""
        return describe(self._snapshot, self.bank, _instant(now))

    def recall(self, query: str, *, count: bool = False, **options: Any) -> MnemopiRecall:
        """Recall as the agent would: the same hits, order and scores as the engine's.

        ``options`` are those of :class:`RecallOptions`; the defaults are what
        the agent calls. ``count=True`` also counts the hits in the file, as the
        engine does after every recall; the bank must be open for writing.

        Raises UnknownOption, InputError or InvalidTime for what cannot be asked.
        """
        if not isinstance(query, str):
            raise InputError(f"A query is text, not {type(query).__name__}: {query!r}.")
        if count and not self.writable:
            raise BankReadOnly(
                f"{self.path} is open for reading, so count=True cannot be honoured. "
                "Copy the bank and open the copy with writable=True."
            )
        checked = RecallOptions.of(options)
        start = time.perf_counter()
        run = run_recall(self._snapshot, prepare(query, checked, self.bank))
        seconds = time.perf_counter() - start
        if count:
            write_counts(self.path, run, self._wait)
            self.refresh()
        return answer(run, self.name, _in_force(checked, options), seconds)

    @property
    def is_stale(self) -> bool:
        """Tell whether the file has changed since it was copied."""
        return signature(self.path) != self._snapshot.signature

    def refresh(self) -> Self:
        """Copy the bank again, to see what was written since; return the bank."""
        fresh = Snapshot(self.path, self._wait)
        self._snapshot.close()
        self._snapshot = fresh
        return self

    def close(self) -> None:
        """Release the copy in memory."""
        self._snapshot.close()

    def __enter__(self) -> Self:
        """Use the bank in a with statement."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the copy in memory."""
        self.close()

    def __repr__(self) -> str:
        """Show file and bank."""
        mode = ", writable" if self.writable else ""
        return f"Mnemopi({str(self.path)!r}, bank={self.bank!r}{mode})"


def _instant(now: datetime | str | None) -> str:
    if now is None:
        return iso_millis(datetime.now(UTC))
    return RecallOptions.of({"now": now}).now or ""


def _in_force(checked: RecallOptions, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options as they were in force, the ones given first."""
    values = checked.model_dump()
    return {**{name: values[name] for name in given}, **values}


def _refuse_own(path: Path, own: Path) -> None:
    """Refuse to open the agent's own banks for writing."""
    target, home = path.absolute(), own.absolute()
    if target == home or home.parent / "banks" in target.parents:
        raise BankReadOnly(
            f"{path} is the agent's own bank; memlab does not write to it. "
            "Copy it with SQLite's backup and open the copy."
        )
