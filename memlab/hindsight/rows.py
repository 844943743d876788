"""Lists of what a server has, each with its frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

import pandas as pd

from ..frames import Column, to_frame
from .replies import (
    BankReply,
    ChunkReply,
    DirectiveReply,
    DocumentReply,
    EntityReply,
    MentalModelReply,
    ModelChange,
    OperationReply,
    Reply,
    ScopeReply,
    TagReply,
    TimeBucket,
)

__all__ = ["COLUMNS", "Rows"]

Item = TypeVar("Item", bound=Reply)

COLUMNS: Mapping[type[Reply], tuple[Column, ...]] = {
    BankReply: (
        Column("bank_id"), Column("name"), Column("fact_count", "int"), Column("mission"),
        Column("created_at", "time"), Column("last_write_at", "time"),
        Column("last_document_at", "time"), Column("disposition", "object"),
    ),
    DocumentReply: (
        Column("id"), Column("memory_unit_count", "int"), Column("text_length", "int"),
        Column("tags", "object"), Column("created_at", "time"), Column("updated_at", "time"),
        Column("document_metadata", "object"),
    ),
    ChunkReply: (
        Column("id"), Column("document_id"), Column("index", "int"), Column("text"),
    ),
    EntityReply: (
        Column("id"), Column("canonical_name"), Column("mention_count", "int"),
        Column("first_seen", "time"), Column("last_seen", "time"),
    ),
    TagReply: (Column("tag"), Column("count", "int")),
    TimeBucket: (
        Column("time", "time"), Column("world", "int"), Column("experience", "int"),
        Column("observation", "int"),
    ),
    MentalModelReply: (
        Column("id"), Column("name"), Column("tags", "object"), Column("source_query"),
        Column("content"), Column("max_tokens", "int"), Column("created_at", "time"),
        Column("last_refreshed_at", "time"),
    ),
    ModelChange: (Column("changed_at", "time"), Column("previous_content")),
    DirectiveReply: (
        Column("id"), Column("name"), Column("content"), Column("priority", "int"),
        Column("is_active", "bool"), Column("tags", "object"), Column("created_at", "time"),
    ),
    OperationReply: (
        Column("id"), Column("operation_type"), Column("status"), Column("items_count", "int"),
        Column("document_id"), Column("created_at", "time"), Column("updated_at", "time"),
        Column("error_message"), Column("retry_count", "int"),
    ),
    ScopeReply: (Column("tags", "object"), Column("count", "int")),
}  # fmt: skip


class Rows(Sequence[Item], Generic[Item]):
    """An immutable list of one kind of reply, in the server's order.

    ``.frame()`` gives one row each; the items themselves have every field that
    the server sent.
    """

    def __init__(self, kind: type[Item], items: Iterable[Item]) -> None:
        self.kind = kind
        self._items = tuple(items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def frame(self) -> pd.DataFrame:
        """Return one row per item. The columns are those of the kind, see ``COLUMNS``."""
        columns = COLUMNS[self.kind]
        return to_frame((_record(item, columns) for item in self._items), columns)

    def __repr__(self) -> str:
        """Say what is in it."""
        kind = self.kind.__name__.removesuffix("Reply")
        return f"{len(self)} of {kind}; .frame() shows them"

    def _repr_html_(self) -> str:
        """Show the frame; pandas escapes what is in it."""
        return str(self.frame()._repr_html_())  # type: ignore[operator]


def _record(item: Reply, columns: Iterable[Column]) -> dict[str, Any]:
    return {column.name: getattr(item, column.name, None) for column in columns}
