"""Writing a set as BEIR has them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..evaluation.casefile import json_line
from ..files import write_text

if TYPE_CHECKING:
    from .dataset import Dataset

__all__ = ["write_beir"]


def write_beir(dataset: Dataset, folder: Path, split: str) -> Path:
    """Write ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/SPLIT.tsv``."""
    banks = dataset.banks()
    if len(banks) != 1:
        raise InputError(
            f"BEIR has one corpus, and this set has {len(banks)} banks. Write them one by one: "
            "dataset.select([name]).to_beir(folder)."
        )
    cases = [case for case in dataset.cases if case.kind == "labelled"]
    other = [case.id for case in cases if case.keys != "id" or case.conversation is not None]
    if other:
        raise InputError(
            f"{len(other)} cases, such as {other[0]!r}, hold a conversation or keys that are no ids "
            "of items, which BEIR cannot say."
        )
    corpus = ({"_id": item.key, "title": "", "text": item.text} for item in dataset.items)
    _write(folder / "corpus.jsonl", corpus)
    _write(folder / "queries.jsonl", ({"_id": case.id, "text": case.query} for case in cases))
    rows = ["query-id\tcorpus-id\tscore\n"]
    rows += [
        f"{c.id}\t{key}\t{grade}\n" for c in cases for key, grade in (c.relevant or {}).items()
    ]
    write_text(folder / "qrels" / f"{split}.tsv", "".join(rows))
    return folder


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    write_text(path, "".join(map(json_line, rows)))
