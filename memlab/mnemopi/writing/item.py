"""What is written to a bank: new memories and facts, checked before anything is opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator

from ...errors import InputError
from ...models import Memory
from ...text.dates import iso_millis

__all__ = ["SOURCE_KEY", "NewFact", "NewMemory", "check", "memories_of"]

SOURCE_KEY = "source_key"
"""Where labels find a memory again: a key in its metadata."""


class _New(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @field_validator(
        "time", "valid_until", "created", "event_date", mode="before", check_fields=False
    )
    @classmethod
    def _as_text(cls, value: object) -> object:
        return iso_millis(value) if isinstance(value, datetime) else value


class NewMemory(_New):
    """A memory to be written.

    Only ``text`` (or ``content``) is needed. ``key`` is what labels call it: it
    is kept in the metadata as ``source_key``. Times are ISO text or datetimes;
    ``time`` is by default the moment of writing. ``vector`` is its embedding.
    The defaults of source, importance, veracity and type are the engine's own.
    """

    text: str = Field(validation_alias=AliasChoices("text", "content"))
    key: str | None = None
    id: str | None = Field(None, description="default: made from text and time")
    time: str | None = Field(None, validation_alias=AliasChoices("time", "timestamp"))
    source: str | None = "conversation"
    importance: float | None = 0.5
    veracity: str | None = "unknown"
    type: str | None = Field("unknown", validation_alias=AliasChoices("type", "memory_type"))
    scope: str | None = "bank"
    session: str | None = Field(None, description="default: the bank's name")
    channel: str | None = Field(None, description="default: the session")
    author: str | None = None
    author_type: str | None = None
    embed_text: str | None = Field(None, description="what is indexed instead of the text")
    context: str | None = Field(None, description="kept in the metadata")
    metadata: Mapping[str, Any] | None = None
    tags: tuple[str, ...] = ()
    valid_until: str | None = None
    superseded_by: str | None = None
    event_date: str | None = None
    tier: Literal["working", "episodic"] = "working"
    degradation: int = Field(1, description="1 to 3, of an episodic memory")
    summary_of: tuple[str, ...] = Field((), description="ids, of an episodic memory")
    vector: tuple[float, ...] | None = None
    created: str | None = Field(None, description="when the row was written; default: time")

    @property
    def all_metadata(self) -> dict[str, Any] | None:
        """Return the metadata with key, tags and context, or None where there is none."""
        extra = {SOURCE_KEY: self.key, "tags": list(self.tags), "context": self.context}
        found = {**(self.metadata or {}), **{k: v for k, v in extra.items() if v}}
        return found if found or self.metadata is not None else None

    @property
    def indexed(self) -> str:
        """Return the text that is embedded."""
        return self.text if self.embed_text is None else self.embed_text


class NewFact(_New):
    """A fact to be written; ``memory`` is the id of the memory it was drawn from."""

    subject: str
    predicate: str
    object: str
    time: str | None = Field(None, validation_alias=AliasChoices("time", "timestamp"))
    confidence: float | None = 1.0
    id: str | None = None
    session: str | None = None
    memory: str | None = None
    created: str | None = None


Item = TypeVar("Item", bound=_New)


def check(kind: type[Item], values: Mapping[str, Any], place: int) -> Item:
    """Check one item; raise InputError that names its place, the field and the way out."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as error:
        # A name that is not there explains the one that is missing.
        first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
        name = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            near = get_close_matches(name, kind.model_fields, n=1)
            hint = (
                f"Did you mean {near[0]!r}?" if near else f"Fields: {', '.join(kind.model_fields)}."
            )
            raise InputError(
                f"Item {place} has {name!r}, which {kind.__name__} does not have. {hint}"
            ) from error
        raise InputError(
            f"Item {place}: {name}={first['input']!a:.80} cannot be used: {first['msg']}."
        ) from error


def _of_memory(memory: Memory) -> dict[str, Any]:
    row = memory.raw
    same = ("source", "importance", "veracity", "scope", "author_type", "embed_text", "event_date")
    return {
        **{name: row.get(name) for name in same},
        "text": memory.text,
        "id": memory.id,
        "time": row.get("timestamp"),
        "type": memory.type,
        "session": memory.session,
        "channel": row.get("channel_id"),
        "author": row.get("author_id"),
        "metadata": memory.metadata,
        "valid_until": row.get("valid_until"),
        "superseded_by": memory.superseded_by,
        "tier": memory.tier,
        "degradation": row.get("tier") or 1,
        "summary_of": [part for part in str(row.get("summary_of") or "").split(",") if part],
        "created": row.get("created_at"),
    }


def memories_of(
    items: Iterable[str | Mapping[str, Any] | NewMemory | Memory], **defaults: Any
) -> list[NewMemory]:
    """Check what is to be written: texts, mappings, NewMemory, or memories of another bank.

    ``defaults`` fill what an item does not say. Raises InputError.
    """
    if isinstance(items, str | Mapping):
        raise InputError("Give a list of memories, not a single one: [item].")
    checked = []
    for place, item in enumerate(items):
        if isinstance(item, Memory):
            values = _of_memory(item)
        elif isinstance(item, NewMemory):
            values = item.model_dump(include=item.model_fields_set)
        elif isinstance(item, str):
            values = {"text": item}
        elif isinstance(item, Mapping):
            values = dict(item)
        else:
            raise InputError(
                f"Item {place} is a {type(item).__name__}; a memory to write is a text, "
                "a mapping, a NewMemory or a Memory."
            )
        checked.append(check(NewMemory, {**defaults, **values}, place))
    return checked
