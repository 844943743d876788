"""BEIR: a folder with a corpus, queries and qrels."""

from __future__ import annotations

from pathlib import Path

from ..errors import FormatError
from ..evaluation.case import Case
from ..evaluation.cases import Cases
from ..evaluation.qrels import read_qrels
from .dataset import Dataset
from .dirt import Dirt
from .files import existing, read_lines
from .item import Item

__all__ = ["load_beir"]


def load_beir(path: str | Path, *, split: str = "test") -> Dataset:
    """Read a BEIR folder: ``corpus.jsonl``, ``queries.jsonl``, ``qrels/SPLIT.tsv``.

    Items are documents, "title. text". Queries without qrels in this split are
    left out, as BEIR does, and counted.
    """
    folder = existing(path, "a BEIR folder")
    name = folder.resolve().name
    dirt = Dirt()
    try:
        items = [
            Item(str(row["_id"]), _text(row), name)
            for _, row in read_lines(folder / "corpus.jsonl")
        ]
        queries = {str(row["_id"]): row["text"] for _, row in read_lines(folder / "queries.jsonl")}
    except (KeyError, TypeError) as error:
        raise FormatError(f"{folder} is not a BEIR folder: {error!r:.200}") from error
    labels = read_qrels(folder / "qrels" / f"{split}.tsv")
    known = {item.key for item in items}
    cases = []
    for query, text in queries.items():
        if query not in labels:
            dirt.note("a query has no qrels in this split", "left out", query)
            continue
        for key in sorted(set(labels[query]) - known):
            dirt.note("a label names no document", "kept: it counts as missed", f"{query}: {key}")
        cases.append(Case(query, text, labels[query], bank=name, level="document"))
    for query in sorted(set(labels) - set(queries)):
        dirt.note("qrels name no query", "left out", query)
    return Dataset(name, tuple(items), Cases(cases), dirt.rows())


def _text(row: dict[str, str]) -> str:
    title = (row.get("title") or "").strip()
    return f"{title}. {row['text']}" if title else row["text"]
