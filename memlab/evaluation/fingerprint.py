"""What tells one bank's content from another's."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from ..autorecall.auto import AutoRecall
from ..backends import Backend
from ..backends.baselines.control import Control
from ..mnemopi import Mnemopi, MnemopiScope
from .digest import digest
from .targets import Subject

__all__ = ["fingerprint"]


def fingerprint(subject: Subject) -> str:
    """Return 24 hexadecimal digits that stand for all that a backend recalls from.

    A Mnemopi bank: every byte of its copy, and whose memories are visible. A
    scope: all its banks. A control: its documents and settings. Any other
    backend: its ``fingerprint`` where it has one, else its memories.
    """
    if isinstance(subject, AutoRecall):
        return fingerprint(subject.backend)
    own = getattr(subject, "fingerprint", None)
    if isinstance(own, str):
        return own
    return digest([type(subject).__name__, *_content(subject)])


def _content(backend: Backend) -> Iterator[Any]:
    if isinstance(backend, Mnemopi):
        yield backend.bank
        yield hashlib.sha256(backend.snapshot.connection.serialize()).hexdigest()
    elif isinstance(backend, MnemopiScope):
        yield [backend.scope.banks, backend.scope.bank, backend.scope.shared, backend.scope.mode]
        for name, bank in backend._banks.opened.items():
            yield [name, fingerprint(bank)]
        for name, error in backend.failures.items():
            yield [name, type(error).__name__]
    elif isinstance(backend, Control):
        yield [[one.key, one.text, one.time] for one in backend.documents]
        yield backend.settings()
    else:
        yield backend.name
        yield [[m.id, m.text, m.tier, m.state, m.time] for m in backend.memories()]
