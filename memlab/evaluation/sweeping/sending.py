"""Banks sent to another process: a bank is opened there again, by its path."""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from ...errors import InputError
from ...mnemopi import Mnemopi
from ...settings import Settings
from ..targets import Subject

__all__ = ["check_sendable"]

_Reopen = Callable[..., Mnemopi]


@lru_cache(maxsize=64)
def _opened(path: str, bank: str, embedder: Any, _signature: tuple[object, ...]) -> Mnemopi:
    return Mnemopi(path, bank=bank, embedder=embedder, settings=Settings())


def _reopen(path: str, bank: str, embedder: Any, signature: tuple[object, ...]) -> Mnemopi:
    """Open a bank in this process, once for all that ask for it."""
    return _opened(path, bank, embedder, signature)


def _reduce(bank: Mnemopi) -> tuple[_Reopen, tuple[Any, ...]]:
    if bank.is_stale:
        raise InputError(
            f"{bank.path} has changed since it was opened, so another process would see other "
            "memories. Call bank.refresh(), or ask in this process: prefer='threads'."
        )
    return _reopen, (str(bank.path.absolute()), bank.bank, bank.embedder, bank.snapshot.signature)


copyreg.pickle(Mnemopi, _reduce)


def check_sendable(subjects: Iterable[Subject]) -> None:
    """Raise InputError for a backend that cannot be sent to another process."""
    for subject in subjects:
        try:
            pickle.dumps(subject)
        except InputError:
            raise
        except Exception as error:
            raise InputError(
                f"{subject!r:.80} cannot be sent to another process ({error}). Ask it in threads: "
                "prefer='threads'."
            ) from error
