"""What tells one bank's content from another's."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from ..autorecall.auto import AutoRecall
from ..backends import Backend
from ..backends.baselines.control import Control
from ..mnemopi import Mnemopi, MnemopiScope
from ..mnemopi.embedding import Embedder, embed_passages, model_name
from .digest import digest
from .targets import Subject

__all__ = ["fingerprint"]

PROBES = ("the valve opens at noon", "тёмная тема", "用户服务器")


def fingerprint(subject: Subject) -> str:
    """Return 24 hexadecimal digits that stand for all that a backend recalls from.

    A Mnemopi bank: every byte of its copy, whose memories are visible, which
    engine answers, and what its embedder makes of a few words. A
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
        yield getattr(backend, "time", None)  # a bank of the past has its own clock
        yield backend.engine if isinstance(backend.engine, str) else "engine"
        yield _embedded(backend.embedder)
    elif isinstance(backend, MnemopiScope):
        yield [backend.scope.banks, backend.scope.bank, backend.scope.shared, backend.scope.mode]
        for name, bank in backend.opened.items():
            yield [name, fingerprint(bank)]
        for name, error in backend.failures.items():
            yield [name, type(error).__name__]
    elif isinstance(backend, Control):
        yield [[one.key, one.text, one.time] for one in backend.documents]
        yield backend.settings()
    else:
        yield backend.name
        # A recall may be asked for types and tags only, so these are content too.
        yield [
            [m.id, m.text, m.tier, m.state, m.time, m.type, m.tags, m.metadata]
            for m in backend.memories()
        ]


def _embedded(embedder: Embedder | None) -> str | None:
    """Return what tells an embedder from others: its name, and the vectors of a few words."""
    if embedder is None:
        return None
    vectors = embed_passages(embedder, list(PROBES))
    return digest([model_name(embedder), vectors])
