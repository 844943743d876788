"""The systems that a set runs on: Mnemopi banks and controls, one for each bank of the set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from ..backends import Backend
from ..errors import InputError
from ..evaluation.digest import digest
from ..files import expanded
from ..hindsight import Hindsight
from ..mnemopi import Mnemopi, build_bank
from ..mnemopi.embedding import Embedder, model_name
from .dataset import Dataset
from .item import Item

__all__ = ["build_banks", "ingest_banks", "on_each"]

MARK = "items.digest"
BEGUN = "begun"
# Raised when banks are written otherwise, so that older files are not taken for new ones.
WRITING = 1


def build_banks(
    dataset: Dataset,
    folder: str | Path,
    *,
    tier: Literal["working", "episodic"] = "working",
    embedder: Embedder | None = None,
) -> dict[str, Mnemopi]:
    """Write a Mnemopi bank for each bank of a set, and open them for reading.

    The banks lie in ``folder/NAME/banks/NAME/mnemopi.db``. An item's key is the
    id of its memory and its ``source_key``; time, role and metadata are kept.
    Banks that were written from the same items before are opened again. Raises
    InputError where the folder holds banks of something else.
    """
    folder = expanded(folder)
    made = {}
    for name, items in dataset.banks().items():
        place = folder / _folder_name(name)
        path = place / "banks" / "set" / "mnemopi.db"
        mark = place / MARK
        model = None if embedder is None else model_name(embedder)
        wanted = digest([WRITING, tier, model, [item.record() for item in items]])
        found = mark.read_text(encoding="utf-8") if mark.exists() else ""
        if found == BEGUN:  # whoever wrote it was interrupted
            for left in (path, path.with_name(f"{path.name}-journal")):
                left.unlink(missing_ok=True)
        if path.exists():
            if found != wanted:
                raise InputError(
                    f"{path} was written from other items. Give another folder, or delete it."
                )
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            mark.write_text(BEGUN, encoding="utf-8")
            rows = [_row(item, tier) for item in items]
            now = dataset.asked_at
            build_bank(rows, path, bank=name, embedder=embedder, now=now).close()
            mark.write_text(wanted, encoding="utf-8")
        made[name] = Mnemopi(path, bank=name, embedder=embedder)
    return made


def _folder_name(bank: str) -> str:
    """Return a name that is safe as a folder: readable, and its own for every bank."""
    plain = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in bank)
    return plain if plain == bank and plain else f"{plain[:40]}-{digest(bank)[:8]}"


def _row(item: Item, tier: str) -> dict[str, Any]:
    metadata = {**item.metadata, "role": item.role} if item.role else dict(item.metadata)
    row = {"text": item.text, "id": item.key, "key": item.key, "tier": tier, "metadata": metadata}
    return {**row, "time": item.time} if item.time else row


def on_each(dataset: Dataset, make: Callable[[tuple[Item, ...]], Backend]) -> Mapping[str, Backend]:
    """Return a backend for each bank of a set: ``on_each(dataset, Bm25)``."""
    return {name: make(items) for name, items in dataset.banks().items()}


def ingest_banks(
    dataset: Dataset, make: Callable[[str], Hindsight], *, batch: int = 50, progress: bool = False
) -> dict[str, Hindsight]:
    """Fill a Hindsight bank for each bank of a set; return them by the set's names.

    ``make`` gives a bank that is open for writing: ``lambda name:
    Hindsight("set-" + name, writable=True)``. An item's key becomes its document
    and its ``source_key``; what is there already is left as it is, so that an
    interrupted call goes on. Evaluate with ``dataset.keyed("document").cases``,
    since the server gives its facts ids of their own; blank items are passed over.

    Raises BackendUnavailable, RecallRefused and the like as the server ends a
    call, and InputError where items were not stored, naming them.
    """
    filled = {}
    for name, items in dataset.banks().items():
        bank = make(name)
        texts = [item for item in items if item.text.strip()]
        report = bank.ingest(texts, batch=batch, progress=progress)
        if report.failed:
            raise InputError(
                f"{len(report.failed)} items of {name!r}, such as {report.failed[0]!r}, were not "
                "stored. Call it again to try them once more, or see bank.ingest(items).frame()."
            )
        filled[name] = bank
    return filled
