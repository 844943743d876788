"""Banks sent to another process: a bank is opened there again, by its path."""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable, Iterable
from typing import Any

from ...errors import InputError
from ...mnemopi import Mnemopi
from ..targets import Subject

__all__ = ["check_sendable", "share_banks"]

_Reopen = Callable[..., Mnemopi]
_Place = tuple[str, str, tuple[object, ...]]
# Banks that are open in a worker, each with what it was opened with: it gets a bank
# with every piece of work, and opens it once. Elsewhere who gets a bank owns it.
_OPEN: dict[_Place, tuple[dict[str, Any], Mnemopi]] | None = None


def share_banks() -> None:
    """Make this process a worker: banks that come again are the same bank, and stay open."""
    global _OPEN  # noqa: PLW0603
    if _OPEN is None:
        _OPEN = {}


def _reopen(path: str, bank: str, signature: tuple[object, ...], more: dict[str, Any]) -> Mnemopi:
    """Open a bank in this process; in a worker, return it if it is open."""
    if _OPEN is None:
        return Mnemopi(path, bank=bank, **more)
    place = (path, bank, signature)
    if place not in _OPEN or _OPEN[place][0] != more:
        _OPEN[place] = (more, Mnemopi(path, bank=bank, **more))
    return _OPEN[place][1]


def _reduce(bank: Mnemopi) -> tuple[_Reopen, tuple[Any, ...]]:
    if bank.is_stale:
        raise InputError(
            f"{bank.path} has changed since it was opened, so another process would see other "
            "memories. Call bank.refresh(), or ask in this process: prefer='threads'."
        )
    if not isinstance(bank.engine, str):
        raise InputError(
            "A running engine answers for this bank, and cannot be sent to another process. Open "
            "the bank with engine='omp', or ask in this process: prefer='threads'."
        )
    more = {"embedder": bank.embedder, "engine": bank.engine, "settings": bank.settings}
    return _reopen, (str(bank.path.absolute()), bank.bank, bank.snapshot.signature, more)


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
