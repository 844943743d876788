"""Lists over the banks of a scope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from ...frames import Column, to_frame
from ...models import Memories, Memory, Scope
from ...models.scope.rows import SCOPE_COLUMNS, scope_rows
from .opening import OpenBanks

__all__ = ["ScopedMemories", "scope_frame"]

_COUNTS = (
    Column("working", "int"),
    Column("episodic", "int"),
    Column("facts", "int"),
    Column("problem"),
)


class ScopedMemories(Memories):
    """The memories of several banks, bank by bank; the frame begins with the bank."""

    def __init__(self, memories: Sequence[Memory], banks: Sequence[str]) -> None:
        super().__init__(memories)
        self.banks = tuple(banks)

    def frame(self) -> pd.DataFrame:
        """Return one row per memory: its bank, and the columns of Memories."""
        plain = super().frame()
        banks = to_frame(({"bank": bank} for bank in self.banks), [Column("bank")])
        return pd.concat([banks, plain], axis=1)


def scope_frame(scope: Scope, banks: OpenBanks) -> pd.DataFrame:
    """Return the scope's own frame, and what the opened banks hold."""
    return to_frame(_rows(scope, banks), [*SCOPE_COLUMNS, *_COUNTS])


def _rows(scope: Scope, banks: OpenBanks) -> Iterator[dict[str, Any]]:
    for row in scope_rows(scope):
        name = row["bank"]
        counts: dict[str, Any] = {}
        if row["recalled"] and name in banks.opened:
            snapshot = banks.opened[name].snapshot
            counts = snapshot.rows(
                "SELECT (SELECT count(*) FROM working_memory) AS working,"
                " (SELECT count(*) FROM episodic_memory) AS episodic,"
                " (SELECT count(*) FROM facts) AS facts"
            )[0]
        elif row["recalled"] and name in banks.failed:
            counts = {"problem": str(banks.failed[name])}
        yield row | counts
