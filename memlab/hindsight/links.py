"""Links as the server draws them, as frames: between memories, and between entities."""

from __future__ import annotations

import pandas as pd
from pydantic import AliasChoices, Field

from ..frames import Column, to_frame
from .replies import Moment, Reply, read

__all__ = ["entity_links", "memory_links"]

_MEMORIES = (
    Column("source"), Column("target"), Column("kind"), Column("weight", "float"),
    Column("entity"),
)  # fmt: skip
_ENTITIES = (
    Column("source"), Column("target"), Column("weight", "float"), Column("last", "time"),
)  # fmt: skip


class _Node(Reply):
    id: str
    label: str | None = None


class _Edge(Reply):
    source: str
    target: str
    kind: str | None = Field(None, validation_alias=AliasChoices("linkType"))
    weight: float | None = None
    entity: str | None = Field(None, validation_alias=AliasChoices("entityName"))
    last: Moment = Field(None, validation_alias=AliasChoices("lastCooccurred"))


class _DrawnNode(Reply):
    data: _Node


class _DrawnEdge(Reply):
    data: _Edge


class _Links(Reply):
    edges: tuple[_DrawnEdge, ...] = ()


class _Graph(_Links):
    nodes: tuple[_DrawnNode, ...] = ()


def memory_links(data: object) -> pd.DataFrame:
    """Return the links of a graph of memories: source, target, kind, weight, entity."""
    edges = read("graph", _Links, data).edges
    return to_frame((dict(one.data) for one in edges), _MEMORIES)


def entity_links(data: object) -> pd.DataFrame:
    """Return the links of a graph of entities, by their names: source, target, weight, last."""
    graph = read("entity_graph", _Graph, data)
    names = {one.data.id: one.data.label for one in graph.nodes}
    rows = (
        {**dict(one.data), "source": names.get(one.data.source),
         "target": names.get(one.data.target)}
        for one in graph.edges
    )  # fmt: skip
    return to_frame(rows, _ENTITIES)
