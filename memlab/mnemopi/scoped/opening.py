"""The banks of a scope, opened for reading; nothing is made that is not there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...errors import BankError, BankUnreadable
from ...models import Scope
from ...settings import Settings
from ..bank import Mnemopi
from ..embedding import Embedder
from ..engine import Engine

__all__ = ["OpenBanks", "open_banks"]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NO_START = "The agent itself does not start with such a bank in its scope."


@dataclass(frozen=True)
class OpenBanks:
    """What became of the banks of a scope: opened, not there yet, or not to be opened."""

    opened: dict[str, Mnemopi]
    absent: dict[str, Path]
    failed: dict[str, BankError]


def open_banks(
    scope: Scope,
    settings: Settings,
    wait: float,
    embedder: Embedder | None = None,
    engine: Literal["memlab", "omp"] | Engine = "memlab",
) -> OpenBanks:
    """Open every bank that is recalled from, each as the session of its own name.

    A missing file is no failure: the agent makes an empty bank of it.
    """
    banks = OpenBanks({}, {}, {})
    for name in scope.banks:
        path = scope.files[name]
        try:
            if name != scope.shared and not _NAME.fullmatch(name):
                raise BankUnreadable(
                    f"The agent refuses {name!r} as the name of a bank: letters, digits, - and _ "
                    f"only, 64 at most. {_NO_START} Rename or move the folder {path.parent}."
                )
            if path.exists():
                banks.opened[name] = Mnemopi(
                    path, bank=name, embedder=embedder, engine=engine, wait=wait, settings=settings
                )
            else:
                banks.absent[name] = path
        except BankError as error:
            banks.failed[name] = error
    return banks
