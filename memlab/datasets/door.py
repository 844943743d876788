"""One door to all sets: which reader a path needs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import FormatError, InputError
from .beam import load_beam
from .beir import load_beir
from .dataset import Dataset
from .files import existing
from .locomo import load_locomo
from .longmemeval import load_longmemeval
from .own import load_own

__all__ = ["READERS", "load_dataset"]

READERS: dict[str, Callable[..., Dataset]] = {
    "beam": load_beam,
    "locomo": load_locomo,
    "longmemeval": load_longmemeval,
    "beir": load_beir,
    "own": load_own,
}


def load_dataset(path: str | Path, kind: str | None = None, **options: Any) -> Dataset:
    """Read a labelled set from a local path; its kind is seen from the files.

    ``kind`` is beam, locomo, longmemeval, beir or own; ``options`` are those of
    its reader, such as ``labels="audited"``. Raises InputError for a path that
    is not there, FormatError where the files are not what they should be.
    """
    found = existing(path, "the data set")
    name = kind or _kind(found)
    if name not in READERS:
        raise InputError(f"There is no kind {name!r} of set. Kinds: {', '.join(READERS)}.")
    try:
        return READERS[name](found, **options)
    except TypeError as error:
        if "unexpected keyword argument" not in str(error):
            raise
        raise InputError(f"Sets of kind {name!r}: {error}.") from None


def _kind(path: Path) -> str:
    signs = {
        "own": path / "items.jsonl",
        "beir": path / "corpus.jsonl",
        "locomo": path / "locomo10.json",
        "beam": path / "chat.json",
    }
    for kind, sign in signs.items():
        if sign.exists():
            return kind
    if path.is_dir() and next(path.glob("*/chat.json"), None):
        return "beam"
    for kind in ("locomo", "longmemeval"):
        if path.is_file() and path.name.startswith(kind):
            return kind
    raise FormatError(
        f"{path} does not look like any set that memlab knows. Say which it is: "
        f"kind= one of {', '.join(READERS)}."
    )
