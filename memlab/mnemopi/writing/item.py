"""What is written to a bank: new memories and facts, checked before anything is opened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal, TypeVar

import pandas as pd
from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    field_validator,
)

from ...errors import InputError
from ...models import Memory
from ...text.dates import iso_millis

__all__ = ["SOURCE_KEY", "NewFact", "NewMemory", "facts_of", "memories_of"]

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
    importance: FiniteFloat | None = 0.5
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
    vector: tuple[FiniteFloat, ...] | None = None
    created: str | None = Field(None, description="when the row was written; default: time")

    @field_validator("metadata")
    @classmethod
    def _as_json(cls, value: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """What JSON has no word for would make the agent's search fail on the whole bank."""
        if value is not None:
            try:
                json.dumps(dict(value), allow_nan=False)
            except (TypeError, ValueError, RecursionError) as error:
                raise ValueError(f"it is no JSON ({error})") from error
        return value

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
    confidence: FiniteFloat | None = 1.0
    id: str | None = None
    session: str | None = None
    memory: str | None = None
    created: str | None = None


Item = TypeVar("Item", bound=_New)


def _check(kind: type[Item], values: Mapping[str, Any], place: int) -> Item:
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


def _of_a_set(item: object) -> str:
    known = all(hasattr(item, name) for name in ("key", "text", "bank"))
    how = (
        " For a data set: memlab.datasets.build_banks(dataset, folder), a bank for each of its own."
    )
    return how if known else ""


def memories_of(
    items: Iterable[str | Mapping[str, Any] | NewMemory | Memory], **defaults: Any
) -> list[NewMemory]:
    """Check what is to be written: texts, mappings, NewMemory, or memories of another bank.

    ``defaults`` fill what an item does not say. Raises InputError.
    """
    checked = []
    for place, item in enumerate(_listed(items, "memories")):
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
                f"a mapping, a NewMemory or a Memory.{_of_a_set(item)}"
            )
        checked.append(_check(NewMemory, {**defaults, **values}, place))
    return checked


def facts_of(facts: Iterable[Mapping[str, Any] | NewFact]) -> list[NewFact]:
    """Check facts to be written: mappings or NewFact. Raises InputError."""
    checked = []
    for place, fact in enumerate(_listed(facts, "facts")):
        if not isinstance(fact, NewFact | Mapping):
            raise InputError(
                f"Fact {place} is a {type(fact).__name__}; a fact to write is a mapping or a "
                "NewFact."
            )
        checked.append(fact if isinstance(fact, NewFact) else _check(NewFact, fact, place))
    return checked


def _listed(items: Any, what: str) -> Iterable[Any]:
    """Refuse what would be taken apart: a text into letters, a table into its column names."""
    if isinstance(items, pd.DataFrame):
        raise InputError(f"Give a list of {what}, not a frame: frame.to_dict('records').")
    if isinstance(items, str | bytes | Mapping | BaseModel):
        raise InputError(f"Give a list of {what}, not a single one: [item].")
    if not isinstance(items, Iterable):
        raise InputError(f"Give a list of {what}, not {type(items).__name__}: {items!a:.80}.")
    return items
