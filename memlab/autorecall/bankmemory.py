"""A real bank as the memory of a feedback loop."""

from __future__ import annotations

from collections.abc import Sequence

from ..mnemopi import Mnemopi
from ..text.redact import redact
from .checks import texts_of_items

__all__ = ["BankMemory"]


class BankMemory:
    """A Mnemopi bank that is open for writing, for :func:`feedback_loop`.

    Give a copy, for the loop writes to it: ``memory=lambda: BankMemory(bank.copy(path))``.
    ``now`` stops the clock, so that a run can be repeated.
    """

    def __init__(self, bank: Mnemopi, now: str | None = None) -> None:
        self.bank = bank
        self.now = now

    def block(self, query: str) -> str:
        """Return the block that the agent would be given."""
        return self.bank.recall(query, now=self.now).block

    def retain(self, texts: Sequence[str]) -> None:
        """Store texts as the agent does, without secrets; raises BankReadOnly for a bank to read."""
        if found := texts_of_items("texts", texts):
            self.bank.retain([redact(text) for text in found], now=self.now, trim=False)

    def __len__(self) -> int:
        """Return how many memories the bank has."""
        return len(self.bank.memories())
