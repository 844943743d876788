"""A Mnemopi bank: the door to everything that can be asked of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from ..backends.closing import Closing
from ..backends.query import Composed, query_text
from ..errors import BankReadOnly, InputError
from ..files import expanded
from ..models import Facts, Memories, Memory
from ..settings import Settings, mnemopi_path
from ..text.dates import iso_millis
from .configured import configured
from .counting import write_counts
from .embedding import Embedder
from .engine import Engine
from .files import signature
from .info import BankInfo, describe
from .lookup import look_up, standing_context
from .options import RecallOptions
from .pipeline import Run, prepare, run_recall
from .querying import Mismatch, with_vector
from .reading import find, read_facts, read_memories
from .real import RealEngine
from .result import MnemopiRecall, answer, engine_answer
from .snapshot import Snapshot
from .vectorset import Vectors, read_vectors
from .writing.acting import Writer
from .writing.copying import copy_snapshot
from .writing.editing import Edit, Operation
from .writing.item import NewMemory
from .writing.opening import is_agents_own, refuse_in_use, refuse_own, refuse_place
from .writing.remembering import Retained

if TYPE_CHECKING:
    from .past import PastBank

__all__ = ["Mnemopi"]


class Mnemopi(Closing):
    """A Mnemopi bank at one moment, read without touching it.

    ``path`` is the database file; without it, the agent's own database is
    found by the settings. ``bank`` is the session whose memories are visible:
    by default the folder's name (``banks/NAME/mnemopi.db``), the configured
    bank for the agent's own database, else the session with the most memories.

    The bank is copied into memory when it is opened, consistently, even while
    the agent writes to it; :meth:`refresh` takes a new copy. Nothing is ever
    written, unless it was opened with ``writable=True`` and a call says so.
    The agent's own banks need ``agents_own=True`` beside it, and are refused
    while the agent has them open; :meth:`copy` gives one to experiment with.

    ``embedder`` is any callable from a list of texts to their vectors. It
    embeds what is asked and what is written. ``engine="omp"`` lets the real
    engine recall instead of memlab, on a copy (``memlab engine install``
    brings it); an Engine that is running already will do, too.

    Raises an error of the BankError family where the file cannot be read.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        bank: str | None = None,
        writable: bool = False,
        agents_own: bool = False,
        embedder: Embedder | None = None,
        engine: Literal["memlab", "omp"] | Engine = "memlab",
        wait: float = 5.0,
        settings: Settings | None = None,
    ) -> None:
        if bank is not None and not isinstance(bank, str):
            raise InputError(f"bank={bank!r}: the name of a bank is text.")
        self.settings = Settings.load() if settings is None else settings
        own = mnemopi_path(self.settings)
        self.path = own if path is None else expanded(path)
        self.writable = writable
        self.embedder = embedder
        self._wait = wait
        self._alone = writable and is_agents_own(self.path, own)
        if self._alone and not agents_own:
            refuse_own(self.path)
        self._snapshot = Snapshot(self.path, wait)
        if self._alone:
            refuse_in_use(self.path, wait)
        self.bank = bank or self._usual_bank(own)
        self.engine = known_engine(engine)
        self._real: RealEngine | None = None

    def _usual_bank(self, own: Path) -> str:
        folder = self.path.absolute().parent
        if folder.parent.name == "banks":
            return folder.name
        if self.path.absolute() == own.absolute():
            return self.settings.mnemopi.bank or "default"
        return self._snapshot.main_session() or "default"

    @property
    def _clock(self) -> str | None:
        """The instant that counts as now where a call names none; None is the real clock."""
        return None

    def _instant(self, now: datetime | str | None) -> str:
        given = self._clock if now is None else now
        if given is None:
            return iso_millis(datetime.now(UTC))
        return RecallOptions.of({"now": given}).now or ""

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
        return Memories(list(read_memories(self._snapshot, self._instant(now))))

    def facts(self) -> Facts:
        """Return all extracted facts."""
        return Facts(list(read_facts(self._snapshot)))

    def get(self, key: str, *, now: datetime | str | None = None) -> Memory:
        """Return one memory, with its full row as ``.raw``.

        Raises MemoryNotFound, which names ids that look alike.
        """
        return find(self._snapshot, key, self._instant(now))

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
        return list(standing_context(self._snapshot, self.bank, self._instant(now), limit))

    def info(self, *, now: datetime | str | None = None) -> BankInfo:
        """Return the bank in numbers: counts by tier and state, vectors, size, schema."""
        return describe(self._snapshot, self.bank, self._instant(now))

    def vectors(self, *, now: datetime | str | None = None) -> Vectors:
        """Return all stored embeddings as one matrix, with what is wrong with them."""
        return read_vectors(self._snapshot, self._instant(now))

    def recall(
        self,
        query: str | Composed,
        *,
        count: bool = False,
        embedder: Embedder | None = None,
        on_width_mismatch: Mismatch = "raise",
        **options: Any,
    ) -> MnemopiRecall:
        """Recall as the agent would: the same hits, order and scores as the engine's.

        ``options`` are those of :class:`RecallOptions`; the defaults are what
        the agent calls. The query is embedded by ``embedder``, by default the
        bank's, unless ``query_vector`` is given (None: by words alone).
        ``on_width_mismatch`` is what to do where no stored vector is as wide:
        "raise", recall by "words", or pad with zeros as the "engine" does.
        ``count=True`` also counts the hits in the file, as the engine does
        after every recall; the bank must be open for writing.

        Raises UnknownOption, InputError or InvalidTime for what cannot be asked.
        """
        query = query_text(query)
        if count and self.engine != "memlab":
            raise BankReadOnly(
                "The real engine recalls from a copy: count=True has no effect there."
            )
        if count and not self.writable:
            raise BankReadOnly(
                f"{self.path} is open for reading, so count=True cannot be honoured. "
                "Copy the bank and open the copy with writable=True."
            )
        options = {**configured(self.settings.mnemopi), **options}
        now = options.get("now")
        checked = RecallOptions.of({**options, "now": self._clock if now is None else now})
        snapshot = self._snapshot
        start = time.perf_counter()
        asked, notes = with_vector(
            snapshot, query, checked, embedder or self.embedder, on_width_mismatch
        )
        if self.engine != "memlab":
            return self._ask_engine(query, asked, _in_force(asked, options), notes)
        run = run_recall(snapshot, prepare(query, asked, self.bank))
        seconds = time.perf_counter() - start
        if count:
            if self._alone:
                refuse_in_use(self.path, self._wait)
            write_counts(self.path, run, self._wait)
            self.refresh()
        return answer(
            run, self.name, _in_force(asked, options), seconds, snapshot=snapshot,
            notes=(*notes, *_unsearched(run)),
        )  # fmt: skip

    def as_of(
        self, time: datetime | str, *, by: Literal["created_at", "timestamp"] | None = None
    ) -> PastBank:
        """Return the bank as recall would have seen it at an earlier time.

        Its rows are those written by then, validity and supersession are
        judged then, and its clock stands there; ``.notes`` say what cannot be
        known any more. ``by`` is the column that tells when a row was written:
        ``created_at``, which SQLite stamps at the insertion, or ``timestamp``
        where a whole bank was inserted later; without it, the bank decides.

        Raises InputError if ``time`` is no time.
        """
        from .past import PastBank

        return PastBank(self, time, by)

    def copy(self, path: str | Path) -> Mnemopi:
        """Write the bank as it is here to a new file, and open that for writing.

        SQLite's own backup: one whole file. Raises InputError if ``path``
        exists, BankReadOnly where the agent keeps its own.
        """
        target = expanded(path)
        refuse_place(target, mnemopi_path(self.settings))
        return Mnemopi(
            copy_snapshot(self._snapshot, target),
            bank=self.bank,
            writable=True,
            embedder=self.embedder,
            wait=self._wait,
            settings=self.settings,
        )

    def retain(
        self,
        items: Iterable[str | Mapping[str, Any] | NewMemory | Memory],
        *,
        now: datetime | str | None = None,
        trim: bool = True,
    ) -> Retained:
        """Write memories as the agent's retain tool does, and see them at once.

        They are written as they are, as by the engine: secrets are replaced
        by the agent's tool before that, which is memlab.tools.retain.

        ``items`` are texts, mappings with the fields of :class:`NewMemory`, or
        memories of another bank. A text that the session holds already renews
        its row. ``trim`` applies the engine's rule after each write: rows of
        the session that were never consolidated go when they are older than 24
        hours; the answer names them. No facts are extracted.

        Raises BankReadOnly, InputError or BankLocked.
        """
        done = self._writer.retain(items, now=now, trim=trim)
        self.refresh()
        return done

    def update(
        self,
        key: str,
        content: str | None = None,
        importance: float | None = None,
        *,
        now: datetime | str | None = None,
    ) -> Edit:
        """Change the text or the importance (0 to 1) of a working memory.

        The embed text goes; a stored vector stays as it was, unless the bank
        has an embedder. Raises BankReadOnly, InputError or BankLocked.
        """
        return self._edit("update", key, now=now, content=content, importance=importance)

    def forget(self, key: str, *, now: datetime | str | None = None) -> Edit:
        """Delete a working memory with its facts, vector and notes.

        Raises BankReadOnly or BankLocked.
        """
        return self._edit("forget", key, now=now)

    def invalidate(
        self, key: str, replacement_id: str | None = None, *, now: datetime | str | None = None
    ) -> Edit:
        """End the validity of a memory now; ``replacement_id`` is what supersedes it.

        What was drawn from it, summaries and facts, stays. Raises BankReadOnly or BankLocked.
        """
        return self._edit("invalidate", key, now=now, replacement_id=replacement_id)

    def _edit(self, operation: Operation, key: str, **given: Any) -> Edit:
        done = self._writer.edit(self._snapshot, operation, key, **given)
        self.refresh()
        return done

    @property
    def _writer(self) -> Writer:
        return Writer(self.path, self.bank, self._wait, self.writable, self._alone, self.embedder)

    def _ask_engine(
        self, query: str, asked: RecallOptions, in_force: dict[str, Any], notes: tuple[str, ...]
    ) -> MnemopiRecall:
        if self._real is None:
            running = self.engine if isinstance(self.engine, Engine) else None
            self._real = RealEngine(self._snapshot, self.bank, running)
        now = asked.now or iso_millis(datetime.now(UTC))
        start = time.perf_counter()
        records = self._real.recall(query, asked, now)
        seconds = time.perf_counter() - start
        return engine_answer(
            query, records, f"{self.name} (real engine)",
            options=in_force, seconds=seconds, now=now, notes=notes,
        )  # fmt: skip

    @property
    def is_stale(self) -> bool:
        """Tell whether the file has changed since it was copied."""
        return signature(self.path) != self._snapshot.signature

    def refresh(self) -> Self:
        """Copy the bank again, to see what was written since; return the bank."""
        # The old copy is not closed: recalls that came from it can still be explained.
        self._leave_engine()
        self._snapshot = Snapshot(self.path, self._wait)
        return self

    def _leave_engine(self) -> None:
        if self._real is not None:
            self._real.close()
            self._real = None

    def close(self) -> None:
        """Release the copy in memory."""
        self._leave_engine()
        self._snapshot.close()

    def __repr__(self) -> str:
        """Show file and bank."""
        mode = ", writable" if self.writable else ""
        return f"Mnemopi({str(self.path)!r}, bank={self.bank!r}{mode})"


def known_engine(engine: object) -> Literal["memlab", "omp"] | Engine:
    """Return an engine as it was chosen; raise InputError for what is none."""
    if engine in ("memlab", "omp") or isinstance(engine, Engine):
        return engine
    raise InputError(
        f"engine={engine!r}: it is 'memlab', 'omp' (the real engine), or a running Engine."
    )


def _unsearched(run: Run) -> list[str]:
    """Say which full-text indexes could not be searched: the engine, too, goes on without them."""
    searches = [(f"{search.tier} memories", search.faults) for search in run.searches]
    if run.fact_search is not None:
        searches.append(("facts", run.fact_search.faults))
    return [
        f"the full-text index of {what} cannot be searched ({fault}), so it found nothing, as in the engine"
        for what, faults in searches
        for fault in faults
    ]


def _in_force(checked: RecallOptions, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options as they were in force, the ones given first."""
    values = checked.model_dump()
    return {**{name: values[name] for name in given}, **values}
