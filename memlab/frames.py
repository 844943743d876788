"""Records to DataFrames: column order, dtypes, UTC times. The only maker of frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

import pandas as pd

__all__ = ["Column", "Kind", "to_frame"]

Kind = Literal["text", "int", "float", "bool", "time", "category", "object"]


class Column(NamedTuple):
    """One column of a frame: its name and the kind of its values."""

    name: str
    kind: Kind = "text"


def _utc(value: Any) -> datetime | None:
    if not isinstance(value, datetime):
        return None
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def _times(values: list[Any]) -> pd.Series[Any]:
    return pd.Series([_utc(value) for value in values], dtype="datetime64[us, UTC]")


def _typed(dtype: str) -> Callable[[list[Any]], pd.Series[Any]]:
    return lambda values: pd.Series(values, dtype=dtype)


_MAKERS: Mapping[Kind, Callable[[list[Any]], pd.Series[Any]]] = {
    "text": _typed("str"),
    "int": _typed("Int64"),
    "float": _typed("float64"),
    "bool": _typed("boolean"),
    "category": _typed("category"),
    "object": _typed("object"),
    "time": _times,
}


def to_frame(records: Iterable[Mapping[str, Any]], columns: Sequence[Column]) -> pd.DataFrame:
    """Build a frame with exactly these columns, in this order, one row per record.

    Missing keys become missing values. Kinds: ``text`` (str), ``int`` (Int64),
    ``float`` (float64), ``bool`` (boolean), ``time`` (datetime64[us, UTC]),
    ``category``, ``object``. An empty frame has the same dtypes as a full one.
    """
    rows = list(records)
    data = {
        column.name: _MAKERS[column.kind]([row.get(column.name) for row in rows])
        for column in columns
    }
    return pd.DataFrame(data, columns=[column.name for column in columns])
