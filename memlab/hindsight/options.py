"""Every option of a recall."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..errors import InputError, UnknownOption
from ..models import Scope
from ..settings import HindsightSettings
from .taggroups import TagsMatch, checked_groups

__all__ = ["HindsightOptions", "TagsMatch"]


class _Limit(BaseModel):
    # The server drops what it does not know in here, without a word.
    model_config = ConfigDict(extra="forbid")

    max_tokens: int | None = None


class _Limits(_Limit):
    max_tokens_per_observation: int | None = None


_INCLUDED: Mapping[str, type[_Limit]] = {
    "entities": _Limit,
    "chunks": _Limit,
    "source_facts": _Limits,
}
Floor = Literal["final", "reranker", "semantic", "keyword"]


class HindsightOptions(BaseModel):
    """All options of a Hindsight recall; what is not given is as the agent's settings say.

    There is no limit of hits: ``max_tokens`` counts tokens of their texts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    budget: Literal["low", "mid", "high"] | None = Field(
        None, description="how deep each arm looks; default: the settings' recall_budget (mid)"
    )
    max_tokens: int | None = Field(
        None,
        strict=True,
        description="tokens of all texts together; default: the settings' recall_max_tokens (1024)",
    )
    types: tuple[str, ...] | None = Field(
        None,
        description="world, experience, observation; empty for all; "
        "default: the settings' recall_types (world, experience)",
    )
    tags: tuple[str, ...] | None = Field(None, description="default: the tags of the scope")
    tags_match: TagsMatch | None = Field(
        None, description="default: that of the scope; the server's own is any"
    )
    trace: bool = Field(False, description="ask how the answer came about; slower")
    tag_groups: tuple[dict[str, Any], ...] | None = Field(
        None, description="conditions on tags, all of which must hold; not together with tags"
    )
    query_timestamp: str | None = Field(
        None, description="what 'last week' and recency are counted from; default: the clock"
    )
    temporal_window: dict[Literal["start", "end"], str] | None = Field(
        None, description="start and end; memories in it rank higher, none is left out"
    )
    min_scores: dict[Floor, float] | None = Field(
        None, description="floors: final and reranker of the hit, semantic and keyword of an arm"
    )
    prefer_observations: bool | None = Field(
        None, description="leave out what a found observation was made from"
    )
    include: dict[str, Any] | None = Field(
        None, description="entities, chunks, source_facts, each with its own max_tokens"
    )

    @field_validator("query_timestamp", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        return value.isoformat() if isinstance(value, datetime) else value

    @field_validator("temporal_window", mode="before")
    @classmethod
    def _as_texts(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        return {name: cls._as_text(moment) for name, moment in value.items()}

    @field_validator("tag_groups")
    @classmethod
    def _conditions(cls, value: tuple[dict[str, Any], ...] | None) -> object:
        checked_groups(value or ())
        return value

    @field_validator("include")
    @classmethod
    def _included(cls, value: dict[str, Any] | None) -> object:
        for name, limits in (value or {}).items():
            if name not in _INCLUDED:
                raise ValueError(f"there is no {name!r}; there are {', '.join(_INCLUDED)}")
            if limits is not None:
                _INCLUDED[name].model_validate(limits)
        return value

    @field_validator("types", "tags", mode="before")
    @classmethod
    def _several(cls, value: object) -> object:
        """Refuse one text where several are meant: it would be taken letter by letter."""
        if isinstance(value, str):
            raise ValueError(f"give a list, like [{value!r}]")
        return value

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> HindsightOptions:
        """Check options given by name; raise UnknownOption or InputError with the way out."""
        for name in options:
            if name not in cls.model_fields:
                near = get_close_matches(name, cls.model_fields, n=1)
                hint = (
                    f"Did you mean {near[0]!r}?"
                    if near
                    else f"It has {', '.join(cls.model_fields)}."
                )
                if name in ("limit", "top_k", "k", "max_results"):
                    hint = "It has no limit of hits: max_tokens limits the tokens of their texts."
                raise UnknownOption(f"Hindsight recall has no option {name!r}. {hint}")
        try:
            return cls(**options)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"] if part != "[key]")
            said = first["msg"].removeprefix("Value error, ")
            raise InputError(f"Option {name}={first['input']!r} cannot be used: {said}.") from error

    def in_force(self, settings: HindsightSettings, scope: Scope | None) -> HindsightOptions:
        """Return the options with the settings and the scope where nothing was given."""
        usual: dict[str, Any] = {
            "budget": settings.recall_budget,
            "max_tokens": settings.recall_max_tokens,
            "types": tuple(settings.recall_types),
        }
        if scope is not None and self.tags is None and self.tag_groups is None:
            usual |= {"tags": scope.recall_tags or None, "tags_match": scope.match}
        given = {name: getattr(self, name) for name in usual if getattr(self, name) is not None}
        return self.model_copy(update={**usual, **given})

    def body(self, query: str) -> dict[str, Any]:
        """Return the request's body, as the agent's client would send it.

        The agent leaves out an empty list of types, and what was not given.
        """
        body: dict[str, Any] = {"query": query}
        values = self.model_dump(exclude_none=True, exclude_defaults=True)
        if not values.get("types"):
            values.pop("types", None)
        return body | values
