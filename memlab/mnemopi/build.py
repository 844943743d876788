"""Experimental banks, built and opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ..files import expanded
from ..models import Memory
from ..settings import Settings, mnemopi_path
from .bank import Mnemopi
from .embedding import Embedder
from .writing.building import instant, write_bank
from .writing.item import NewFact, NewMemory
from .writing.opening import refuse_place

__all__ = ["build_bank"]


def build_bank(
    items: Iterable[str | Mapping[str, Any] | NewMemory | Memory],
    path: str | Path,
    *,
    bank: str | None = None,
    facts: Iterable[Mapping[str, Any] | NewFact] = (),
    embedder: Embedder | None = None,
    model: str | None = None,
    now: datetime | str | None = None,
    settings: Settings | None = None,
) -> Mnemopi:
    """Build an experimental bank in a new file, and open it for writing.

    ``items`` are texts, mappings with the fields of :class:`NewMemory`, or
    memories of another bank; an item's ``key`` is what labels call it (it is
    kept as ``source_key`` in the metadata). ``facts`` are mappings with the
    fields of :class:`NewFact`. ``bank`` is the session they belong to: by
    default the folder's name for ``banks/NAME/mnemopi.db``, else "default".
    With an ``embedder`` (a callable from texts to vectors) every memory gets a
    vector; ``model`` is the name it is stored under. ``now`` is the time of
    items that name none. The same items give the same bank. Texts are written as
    they are: secrets stay in them.

    The real engine opens the file and recalls from it the same; its rows are
    marked as imported, so it keeps them. Raises InputError for an item that
    cannot be used, or if ``path`` exists; BankReadOnly where the agent keeps its own.
    """
    known = Settings.load() if settings is None else settings
    target = expanded(path)
    folder = target.parent
    name = bank or (folder.name if folder.parent.name == "banks" else "default")
    refuse_place(target, mnemopi_path(known))
    write_bank(items, target, name, instant(now), facts=facts, embedder=embedder, model=model)
    return Mnemopi(target, bank=name, writable=True, embedder=embedder, settings=known)
