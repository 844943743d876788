"""What a report is made of, whatever it is written in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd

__all__ = ["Block", "Heading", "Lines", "Picture", "Table", "Text", "cells_of"]

LONG = 240


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the report's own."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Text:
    """A paragraph; loud: it must not be overlooked."""

    text: str
    loud: bool = False


@dataclass(frozen=True)
class Lines:
    """Lines to be shown as they are."""

    text: str


@dataclass(frozen=True)
class Table:
    """A frame as a table, with what it shows; ``index`` is shown where it has a name."""

    frame: pd.DataFrame
    caption: str = ""
    most: int = 60


@dataclass(frozen=True)
class Picture:
    """A picture (PNG), and what it shows."""

    png: bytes
    caption: str


Block: TypeAlias = Heading | Text | Lines | Table | Picture


def cells_of(table: Table) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the cells of a table as plain text, numbers rounded, long texts cut."""
    frame = table.frame.head(table.most)
    if frame.index.name is not None:
        frame = frame.reset_index()
    heads = [str(name) for name in frame.columns]
    return heads, [[_cell(value) for value in row] for row in frame.itertuples(index=False)]


def _cell(value: Any) -> str:
    if isinstance(value, list | tuple | dict):
        parts = [f"{k}: {v}" for k, v in value.items()] if isinstance(value, dict) else value
        return _cut(", ".join(map(str, parts)))
    if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
        return ""
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return _cut(str(value))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONG else line[: LONG - 1] + "…"


def rest_of(table: Table) -> str:
    """Return what is said where a table is longer than what is shown; empty otherwise."""
    more = len(table.frame) - table.most
    return f"… and {more} rows more" if more > 0 else ""


def joined(blocks: Sequence[Sequence[Block]]) -> list[Block]:
    """Put several parts one after the other."""
    return [block for part in blocks for block in part]
