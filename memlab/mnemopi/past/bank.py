"""The past of a bank as a bank of its own."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn, Self

from ...backends.query import Composed
from ...errors import BankReadOnly, InputError
from ..bank import Mnemopi
from ..embedding import Embedder
from ..querying import Mismatch
from ..reading import moment
from ..snapshot import Snapshot
from .rewind import rewind
from .written import Clock, check_clock, chosen_clock, with_millis

if TYPE_CHECKING:
    from ..result import MnemopiRecall

__all__ = ["PastBank"]

_NO_TRACE = (
    "an update of a text, an importance or a count leaves no trace: texts and importance are "
    "today's"
)


class PastBank(Mnemopi):
    """A bank as recall would have seen it at an earlier time; made by :meth:`Mnemopi.as_of`.

    It holds the rows written by then, validity and supersession as they were,
    the full-text statistics of those rows, and its clock stands at ``time``
    unless a call says otherwise. ``notes`` tell in sentences what cannot be
    known any more. ``written_by`` is the column that says when a row was written.
    """

    def __init__(self, bank: Mnemopi, time: datetime | str, by: Clock | None = None) -> None:
        check_clock(by)
        self.settings, self.path, self.bank = bank.settings, bank.path, bank.bank
        self.writable = self._alone = False
        self.embedder = bank.embedder
        self.engine, self._real = bank.engine, None
        self._wait = bank._wait
        self._asked_by = by
        self.time = moment(time)
        self._turn_back(bank.snapshot)

    def _turn_back(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot.duplicate()
        connection = self._snapshot.connection
        with_millis(connection)
        by, why = chosen_clock(connection)
        if self._asked_by is not None:
            by, why = self._asked_by, f"rows are judged by their {self._asked_by}, as asked"
        self.written_by: Clock = by
        self.notes = (why, *rewind(connection, self.time, by), _NO_TRACE)

    @property
    def _clock(self) -> str | None:
        return self.time

    @property
    def name(self) -> str:
        """Return a short name, for tables and plots."""
        return f"mnemopi:{self.bank} at {self.time[:16]}"

    def recall(
        self,
        query: str | Composed,
        *,
        count: bool = False,
        embedder: Embedder | None = None,
        on_width_mismatch: Mismatch = "raise",
        **options: Any,
    ) -> MnemopiRecall:
        """Recall as the agent would have then; see :meth:`Mnemopi.recall`."""
        if count:
            raise BankReadOnly("The past is not written to: count=True cannot be honoured.")
        return super().recall(
            query, embedder=embedder, on_width_mismatch=on_width_mismatch, **options
        )

    def refresh(self) -> Self:
        """Read the file again and turn it back again; return the bank."""
        self._leave_engine()
        self._turn_back(Snapshot(self.path, self._wait))
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse to be sent to another process."""
        raise InputError(
            f"{self.name} was turned back in this process and cannot be sent to another one. Ask "
            "it in threads: prefer='threads'."
        )

    def __repr__(self) -> str:
        """Show file, bank, time, and what cannot be known."""
        head = f"PastBank({str(self.path)!r}, bank={self.bank!r}, time={self.time!r})"
        return "\n".join([head, *(f"  note: {note}" for note in self.notes)])
