"""A set of one's own: a folder with ``items.jsonl`` and ``cases.jsonl``."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from ..errors import FormatError, InputError
from ..evaluation.cases import Cases
from .dataset import Dataset
from .dirt import Dirt
from .files import existing, read_lines
from .item import Item

__all__ = ["load_own"]

FIELDS = ("key", "text", "bank", "time", "role", "session", "metadata")


def load_own(path: str | Path) -> Dataset:
    """Read a folder as :meth:`Dataset.save` writes it.

    An item is a JSON line with key, text and, where known, bank, time (ISO),
    role, session, metadata. Labels that no item answers to are kept, counted
    in ``dirt``, and count as missed.
    """
    folder = existing(path, "a folder with items.jsonl and cases.jsonl")
    file = folder / "items.jsonl"
    items = [_item(file, number, row) for number, row in read_lines(file)]
    cases = Cases.load(folder / "cases.jsonl")
    known = {(item.bank, item.key) for item in items}
    dirt = Dirt()
    for case in cases:
        for key in case.wanted if case.keys == "id" else ():
            if (case.bank, key) not in known:
                dirt.note("a label names no item", "kept: it counts as missed", f"{case.id}: {key}")
    return Dataset(folder.resolve().name, tuple(items), cases, dirt.rows())


def _item(file: Path, number: int, row: Any) -> Item:
    if not isinstance(row, dict) or not set(row) <= set(FIELDS):
        raise FormatError(f"{file}, line {number}: an item has the fields {', '.join(FIELDS)}.")
    try:
        time = datetime.fromisoformat(row["time"]) if row.get("time") else None
        return Item(**{**row, "time": time})
    except (InputError, TypeError, ValueError) as error:
        raise FormatError(f"{file}, line {number}: {error}") from error
