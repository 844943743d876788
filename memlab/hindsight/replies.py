"""What the server answers, as values.

Replies bear fields that are newer than memlab (they stay in ``model_extra``)
and miss those that older servers did not send. Names that differ between
endpoints are made one: ``type`` (also sent as ``fact_type``), ``entities`` as
a list (also sent as text with commas), ``metadata`` as a mapping (also null).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import pandas as pd
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..errors import HindsightWrongShape
from ..frames import Column, to_frame

__all__ = [
    "BankReply", "BanksReply", "ChunkReply", "ConfigReply", "DeletedReply", "DirectiveReply", "DocumentReply",
    "EntityReply", "MemoryReply", "MentalModelReply", "ModelChange", "OperationReply", "Page",
    "RecallReply", "RecallResult", "ReflectReply", "Reply", "RetainReply", "ScopeReply", "Scores",
    "StartedReply", "StatsReply", "TagReply", "TimeBucket", "TimeseriesReply", "VersionReply", "read",
]  # fmt: skip


def _moment(value: object) -> object:
    """Read a time; what is none becomes None, and stays in the raw record."""
    if not isinstance(value, str):
        return value if isinstance(value, datetime) else None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _names(value: object) -> object:
    if isinstance(value, str):
        return [name for name in value.split(", ") if name]
    if isinstance(value, list):
        # Older servers send entities as objects.
        return [one.get("text", "") if isinstance(one, Mapping) else one for one in value]
    return [] if value is None else value


def _empty_list(value: object) -> object:
    return [] if value is None else value


def _empty_mapping(value: object) -> object:
    return {} if value is None else value


Moment = Annotated[datetime | None, BeforeValidator(_moment)]
Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_empty_list)]
Values = Annotated[dict[str, Any], BeforeValidator(_empty_mapping)]
Counts = Annotated[dict[str, int], BeforeValidator(_empty_mapping)]


class Reply(BaseModel):
    """An answer of the server; fields that memlab does not know are kept."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


class VersionReply(Reply):
    """Which server this is, and what is switched on in it."""

    api_version: str = ""
    features: Values = Field(default_factory=dict)


class BankReply(Reply):
    """One bank."""

    bank_id: str
    name: str | None = None
    mission: str | None = None
    disposition: Values = Field(default_factory=dict)
    created_at: Moment = None
    updated_at: Moment = None
    fact_count: int | None = None
    last_document_at: Moment = None
    last_write_at: Moment = None


class BanksReply(Reply):
    """The banks of a server."""

    banks: tuple[BankReply, ...]
    total: int | None = None


class ConfigReply(Reply):
    """The settings of a bank: all in force, and those it has of its own."""

    bank_id: str
    config: Values
    overrides: Values = Field(default_factory=dict)


class StatsReply(Reply):
    """A bank in numbers."""

    bank_id: str
    total_nodes: int = 0
    total_links: int = 0
    total_documents: int = 0
    nodes_by_fact_type: Counts = Field(default_factory=dict)
    links_by_link_type: Counts = Field(default_factory=dict)
    pending_operations: int = 0
    failed_operations: int = 0
    pending_consolidation: int | None = None
    failed_consolidation: int | None = None
    total_observations: int | None = None
    last_consolidated_at: Moment = None
    last_memory_write_at: Moment = None

    def frame(self) -> pd.DataFrame:
        """Return the numbers as a frame: what, count; memories and links by their kinds."""
        counts = {f"memories {kind}": count for kind, count in self.nodes_by_fact_type.items()}
        counts |= {f"links {kind}": count for kind, count in self.links_by_link_type.items()}
        totals = {name: value for name, value in self if isinstance(value, int)}
        rows = [{"what": what, "count": count} for what, count in (totals | counts).items()]
        return to_frame(rows, [Column("what"), Column("count", "int")])


class TimeBucket(Reply):
    """How many memories of each type fall into one stretch of time."""

    time: Moment
    world: int = 0
    experience: int = 0
    observation: int = 0


class TimeseriesReply(Reply):
    """Memories over time; ``period`` is the one the server used."""

    period: str
    trunc: str | None = None
    time_field: str | None = None
    buckets: tuple[TimeBucket, ...]


class MemoryReply(Reply):
    """One stored memory."""

    id: str
    text: str
    type: str | None = Field(None, validation_alias=AliasChoices("type", "fact_type"))
    context: str | None = None
    date: Moment = None
    mentioned_at: Moment = None
    occurred_start: Moment = None
    occurred_end: Moment = None
    document_id: str | None = None
    chunk_id: str | None = None
    entities: Names = ()
    tags: Texts = ()
    metadata: Values = Field(default_factory=dict)
    proof_count: int | None = None
    state: str | None = None
    invalidation_reason: str | None = None
    invalidated_at: Moment = None
    edited_at: Moment = None
    updated_at: Moment = None
    consolidated_at: Moment = None
    source_memory_ids: Texts = ()


class Scores(Reply):
    """The parts of a hit's score; None where a stage had nothing to say, or an old server."""

    final: float | None = None
    reranker: float | None = None
    semantic: float | None = None
    keyword: float | None = None


class RecallResult(Reply):
    """One recalled memory."""

    id: str
    text: str = Field(min_length=1)
    type: str | None = Field(None, validation_alias=AliasChoices("type", "fact_type"))
    entities: Names = ()
    context: str | None = None
    occurred_start: str | None = None
    occurred_end: str | None = None
    mentioned_at: str | None = None
    document_id: str | None = None
    chunk_id: str | None = None
    metadata: Values = Field(default_factory=dict)
    tags: Texts = ()
    source_fact_ids: Texts = ()
    scores: Scores | None = None


class ChunkReply(Reply):
    """A piece of a document."""

    id: str = Field(validation_alias=AliasChoices("chunk_id", "id"))
    text: str = Field(validation_alias=AliasChoices("chunk_text", "text"))
    index: int = Field(0, validation_alias=AliasChoices("chunk_index", "index"))
    document_id: str | None = None
    truncated: bool | None = None


class RecallReply(Reply):
    """A whole answer to recall."""

    results: tuple[RecallResult, ...]
    trace: dict[str, Any] | None = None
    entities: Values = Field(default_factory=dict)
    chunks: Annotated[dict[str, ChunkReply], BeforeValidator(_empty_mapping)] = Field(
        default_factory=dict
    )
    source_facts: Annotated[dict[str, RecallResult], BeforeValidator(_empty_mapping)] = Field(
        default_factory=dict
    )
    source_facts_truncated: bool | None = None


class ReflectReply(Reply):
    """An answer that the server reasoned out."""

    text: str = ""
    based_on: dict[str, Any] | None = None
    structured_output: Any = None
    structured_output_error: str | None = None
    usage: Values = Field(default_factory=dict)
    trace: dict[str, Any] | None = None


class RetainReply(Reply):
    """What became of memories that were sent."""

    success: bool = True
    bank_id: str | None = None
    items_count: int | None = None
    operation_id: str | None = None
    operation_ids: Texts = ()
    usage: Values = Field(default_factory=dict)

    @property
    def operations(self) -> tuple[str, ...]:
        """Return the ids of the operations that work on it; none where it is done."""
        return self.operation_ids or ((self.operation_id,) if self.operation_id else ())


class OperationReply(Reply):
    """Work of the server: pending, processing, completed, failed, cancelled or not_found."""

    id: str = Field(validation_alias=AliasChoices("operation_id", "id"))
    status: str
    operation_type: str | None = Field(
        None, validation_alias=AliasChoices("operation_type", "task_type")
    )
    items_count: int | None = None
    document_id: str | None = None
    created_at: Moment = None
    updated_at: Moment = None
    completed_at: Moment = None
    error_message: str | None = None
    retry_count: int | None = None
    result_metadata: Values = Field(default_factory=dict)
    child_operations: Annotated[tuple[dict[str, Any], ...], BeforeValidator(_empty_list)] = ()


class StartedReply(Reply):
    """Work that the server has begun."""

    operation_id: str | None = None


class DeletedReply(Reply):
    """How much was deleted."""

    deleted_count: int | None = None


class DocumentReply(Reply):
    """One document: what was sent, from which memories were made."""

    id: str
    bank_id: str | None = None
    original_text: str | None = None
    text_length: int | None = None
    memory_unit_count: int | None = None
    tags: Texts = ()
    document_metadata: Values = Field(default_factory=dict)
    created_at: Moment = None
    updated_at: Moment = None
    content_hash: str | None = None


class TagReply(Reply):
    """A tag, and how many memories carry it."""

    tag: str
    count: int


class EntityReply(Reply):
    """A person, place or thing that memories speak of."""

    id: str
    canonical_name: str
    mention_count: int | None = None
    first_seen: Moment = None
    last_seen: Moment = None
    metadata: Values = Field(default_factory=dict)


class MentalModelReply(Reply):
    """A curated summary that the server keeps; ``content`` is None until it is made."""

    id: str
    name: str
    bank_id: str | None = None
    source_query: str | None = None
    content: str | None = None
    tags: Texts = ()
    max_tokens: int | None = None
    created_at: Moment = None
    last_refreshed_at: Moment = None


class ModelChange(Reply):
    """A former content of a mental model, and when it was replaced."""

    previous_content: str | None = None
    changed_at: Moment = None


class DirectiveReply(Reply):
    """A rule that reflect keeps to."""

    id: str
    name: str
    content: str
    priority: int | None = None
    is_active: bool | None = None
    tags: Texts = ()
    created_at: Moment = None
    updated_at: Moment = None


class ScopeReply(Reply):
    """A set of tags under which there are observations, and how many."""

    tags: Texts = ()
    count: int = 0


class Page(Reply):
    """One page of a list, its items not yet read."""

    items: tuple[dict[str, Any], ...] = Field(
        validation_alias=AliasChoices("items", "banks", "operations", "scopes")
    )
    total: int | None = None
    total_is_estimate: bool | None = None


Kind = TypeVar("Kind", bound=BaseModel)


def read(operation: str, model: type[Kind], data: object) -> Kind:
    """Read an answer as a reply. Raises HindsightWrongShape, which names what is wrong in it."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        wrong = [
            f"{'.'.join(str(part) for part in one['loc']) or 'the answer'}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)[:3]
        ]
        raise HindsightWrongShape(
            f"{operation}: the answer is no {model.__name__}: {'; '.join(wrong)}. The server may "
            "be of a version that memlab does not know; version() tells.",
            status=200,
            details=wrong,
        ) from None
