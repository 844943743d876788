"""Labelled sets, read from local files: nothing is ever downloaded."""

from .banks import build_banks, ingest_banks, on_each
from .beam import load_beam
from .beir import load_beir
from .dataset import Dataset
from .door import load_dataset
from .item import Item
from .locomo import load_locomo
from .longmemeval import load_longmemeval
from .own import load_own

__all__ = [
    "Dataset",
    "Item",
    "build_banks",
    "ingest_banks",
    "load_beam",
    "load_beir",
    "load_dataset",
    "load_locomo",
    "load_longmemeval",
    "load_own",
    "on_each",
]
