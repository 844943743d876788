"""Questions about a server and a bank that change nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import pandas as pd

from ..errors import HindsightBankNotFound, HindsightNotFound, InputError
from .base import Base
from .ids import document_id, name_id, path, tag_list, uuid
from .links import entity_links, memory_links
from .memory import HindsightMemories, HindsightMemory, as_memory
from .options import TagsMatch
from .replies import (
    BankReply,
    ChunkReply,
    ConfigReply,
    DirectiveReply,
    DocumentReply,
    EntityReply,
    MemoryReply,
    MentalModelReply,
    ModelChange,
    OperationReply,
    Page,
    Reply,
    ScopeReply,
    StatsReply,
    TagReply,
    TimeBucket,
    TimeseriesReply,
    VersionReply,
    read,
)
from .rows import Rows

__all__ = ["Reading"]

Detail = Literal["metadata", "content", "full"]
TimeField = Literal["created_at", "updated_at", "mentioned_at", "occurred_start", "occurred_end"]
Period = Literal["1h", "12h", "1d", "7d", "30d", "90d"]
_STATES = {"live": "valid", "invalidated": "invalidated"}
_TYPES = ("world", "experience", "observation")
_STATUSES = ("pending", "processing", "completed", "failed", "cancelled")


def _one_of(name: str, value: str | None, allowed: Sequence[str]) -> str | None:
    """Check what the server would not: it answers an unknown word with an empty list."""
    if value is not None and value not in allowed:
        raise InputError(f"{name}={value!r} is none of {', '.join(allowed)}.")
    return value


def _time(value: datetime | str | None) -> str | None:
    return value.isoformat() if isinstance(value, datetime) else value


class Reading(Base):
    """What can be looked at."""

    def health(self) -> Mapping[str, Any]:
        """Return how the server and its database are. Raises HindsightBusy where they are not."""
        return dict(self._get("health", Reply, "/health"))

    def version(self) -> VersionReply:
        """Return the server's version and what is switched on in it."""
        return self._get("version", VersionReply, "/version")

    def banks(self, q: str | None = None) -> Rows[BankReply]:
        """Return the banks of the server, the one written to last first; ``q`` is a part of a name."""
        items = self._all("banks", path(), {"q": q}, key="bank_id")
        return Rows(BankReply, [read("banks", BankReply, item) for item in items])

    def config(self) -> ConfigReply:
        """Return the bank's settings: all that are in force, and its own among them."""
        return self._get("config", ConfigReply, self._path("config"))

    def stats(self) -> StatsReply:
        """Return the bank in numbers, fresh (the server itself would give them up to 60 s old)."""
        return self._get("stats", StatsReply, self._path("stats"), {"refresh": True})

    def timeseries(
        self, period: Period = "7d", time_field: TimeField = "created_at"
    ) -> Rows[TimeBucket]:
        """Return how many memories of each type fall into each hour or day of a period."""
        _one_of("period", period, ("1h", "12h", "1d", "7d", "30d", "90d"))
        query = {"period": period, "time_field": time_field}
        found = self._get(
            "timeseries", TimeseriesReply, self._path("stats", "memories-timeseries"), query
        )
        return Rows(TimeBucket, found.buckets)

    def memories(
        self,
        *,
        type: str | None = None,  # noqa: A002  (the server's name)
        q: str | None = None,
        document: str | None = None,
        entity: str | None = None,
        state: Literal["live", "invalidated"] = "live",
        consolidation: Literal["failed", "pending", "done"] | None = None,
        tags: Sequence[str] | None = None,
        tags_match: TagsMatch | None = None,
        time_field: TimeField | None = None,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
        progress: bool | None = None,
    ) -> HindsightMemories:
        """Return all stored memories, newest first; the filters are the server's own.

        ``q`` is a part of the text, in which ``%`` and ``_`` stand for anything.
        ``tags_match`` is any by default, which keeps memories without tags.
        ``start`` (included) and ``end`` (excluded) look at ``time_field``, and
        leave out memories that have no such time. ``progress`` shows a bar; by
        default where there is more than one page.

        Raises HindsightBankNotFound and the like.
        """
        query = {
            "type": _one_of("type", type, _TYPES),
            "q": q,
            "document_id": document,
            "entity_id": None if entity is None else uuid("entity", entity),
            "state": _STATES[_one_of("state", state, tuple(_STATES)) or "live"],
            "consolidation_state": _one_of(
                "consolidation", consolidation, ("failed", "pending", "done")
            ),
            "tags": tag_list(tags) or None,
            "tags_match": tags_match,
            "time_field": time_field,
            "start_date": _time(start),
            "end_date": _time(end),
        }
        items = self._all("memories", self._path("memories", "list"), query, progress=progress)
        return HindsightMemories(
            [as_memory(read("memories", MemoryReply, item), item) for item in items]
        )

    def get(self, key: str) -> HindsightMemory:
        """Return one memory by its id, invalidated or not. Raises HindsightNotFound."""
        answer = self._ask("memory", self._path("memories", uuid("memory", key))).data
        return as_memory(read("memory", MemoryReply, answer), answer)

    def history(self, key: str) -> Sequence[Mapping[str, Any]]:
        """Return the changes of an observation, as the server tells them; empty for others."""
        where = self._path("memories", uuid("memory", key), "history")
        return _listed("history", self._ask("history", where).data)

    def documents(
        self,
        *,
        q: str | None = None,
        tags: Sequence[str] | None = None,
        tags_match: TagsMatch | None = None,
        progress: bool | None = None,
    ) -> Rows[DocumentReply]:
        """Return the documents; ``q`` is a part of id or text, ``tags_match`` any_strict by default."""
        query = {"q": q, "tags": tag_list(tags) or None, "tags_match": tags_match}
        items = self._all("documents", self._path("documents"), query, progress=progress)
        return Rows(DocumentReply, [read("documents", DocumentReply, item) for item in items])

    def document(self, key: str) -> DocumentReply | None:
        """Return one document with its text; None where there is none of that id."""
        where = self._path("documents", document_id(key))
        try:
            return self._get("getDocument", DocumentReply, where)
        except HindsightNotFound as error:
            _pass_on(error)
            return None

    def chunks(self, document: str) -> Rows[ChunkReply]:
        """Return the pieces that a document was cut into."""
        where = self._path("documents", document_id(document), "chunks")
        items = self._all("chunks", where, key="chunk_id")
        return Rows(ChunkReply, [read("chunks", ChunkReply, item) for item in items])

    def tags(self, q: str | None = None) -> Rows[TagReply]:
        """Return the tags, each with the number of its memories; ``*`` in ``q`` stands for anything."""
        items = self._all("tags", self._path("tags"), {"q": q}, key="tag")
        return Rows(TagReply, [read("tags", TagReply, item) for item in items])

    def entities(self, tags: Sequence[str] | None = None) -> Rows[EntityReply]:
        """Return the people, places and things that memories speak of."""
        query = {"tags": tag_list(tags) or None}
        items = self._all("entities", self._path("entities"), query)
        return Rows(EntityReply, [read("entities", EntityReply, item) for item in items])

    def entity(self, key: str) -> EntityReply:
        """Return one entity by its id. Raises HindsightNotFound."""
        return self._get("entity", EntityReply, self._path("entities", uuid("entity", key)))

    def entity_graph(self, *, limit: int = 1000, min_count: int = 1) -> pd.DataFrame:
        """Return which entities occur together: source, target, weight, last, with their names."""
        query = {"limit": limit, "min_count": min_count}
        data = self._ask("entity_graph", self._path("entities", "graph"), query).data
        return entity_links(data)

    def graph(
        self,
        *,
        type: str | None = None,  # noqa: A002  (the server's name)
        limit: int = 1000,
        tags: Sequence[str] | None = None,
        tags_match: TagsMatch | None = None,
    ) -> pd.DataFrame:
        """Return the links between memories: source, target, kind (semantic, temporal, …), weight.

        The server's own ``tags_match`` is all_strict here.
        """
        query = {
            "type": _one_of("type", type, _TYPES),
            "limit": limit,
            "tags": tag_list(tags) or None,
            "tags_match": tags_match,
        }
        data = self._ask("graph", self._path("graph"), query).data
        return memory_links(data)

    def observation_scopes(self) -> Rows[ScopeReply]:
        """Return the sets of tags under which there are observations."""
        where = self._path("observations", "scopes")
        items = self._get("observation_scopes", Page, where, {"limit": 1000}).items
        return Rows(ScopeReply, [read("observation_scopes", ScopeReply, one) for one in items])

    def mental_models(self, detail: Detail = "content") -> Rows[MentalModelReply]:
        """Return the mental models: curated summaries beside the memories, never recalled.

        ``detail`` is metadata, content or full (with what they were made from).
        """
        query = {"detail": _one_of("detail", detail, ("metadata", "content", "full"))}
        items = self._all("listMentalModels", self._path("mental-models"), query)
        found = [read("listMentalModels", MentalModelReply, item) for item in items]
        return Rows(MentalModelReply, found)

    def mental_model(self, key: str, detail: Detail = "content") -> MentalModelReply | None:
        """Return one mental model; None where there is none of that id."""
        where = self._path("mental-models", name_id("mental model", key))
        try:
            return self._get("getMentalModel", MentalModelReply, where, {"detail": detail})
        except HindsightNotFound as error:
            _pass_on(error)
            return None

    def mental_model_history(self, key: str) -> Rows[ModelChange]:
        """Return the former contents of a mental model, the latest first."""
        where = self._path("mental-models", name_id("mental model", key), "history")
        items = _listed("getMentalModelHistory", self._ask("getMentalModelHistory", where).data)
        return Rows(ModelChange, [read("history", ModelChange, item) for item in items])

    def directives(self) -> Rows[DirectiveReply]:
        """Return the rules that reflect keeps to."""
        items = self._all("directives", self._path("directives"))
        return Rows(DirectiveReply, [read("directives", DirectiveReply, item) for item in items])

    def operations(
        self,
        *,
        status: str | None = None,
        type: str | None = None,  # noqa: A002  (the server's name)
    ) -> Rows[OperationReply]:
        """Return the server's work on this bank, the latest first."""
        query = {"status": _one_of("status", status, _STATUSES), "type": type}
        items = self._all("operations", self._path("operations"), query, page=100)
        return Rows(OperationReply, [read("operations", OperationReply, item) for item in items])

    def operation(self, key: str) -> OperationReply:
        """Return one operation; its status is not_found where the server does not know it."""
        where = self._path("operations", uuid("operation", key))
        return self._get("operation", OperationReply, where)


def _listed(operation: str, data: object) -> Sequence[Mapping[str, Any]]:
    """Return a list that comes bare, or as the items of a page."""
    return read(operation, Page, {"items": data} if isinstance(data, list) else data).items


def _pass_on(error: HindsightNotFound) -> None:
    """Let a missing thing pass; a missing bank is an error still."""
    if isinstance(error, HindsightBankNotFound):
        raise error
