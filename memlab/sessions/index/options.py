"""Every knob of a session search."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import InputError, UnknownOption
from .filters import DEFAULT_FIELDS, Filters

__all__ = ["Ranking", "SearchOptions"]

Ranking = Literal["pify", "bm25"]
Moment = datetime | date | str | None


class SearchOptions(BaseModel):
    """All options of a session search; the defaults are those of the agent's tool.

    Filters and fields are this library's own; without them the ranking "pify" answers
    exactly as the extension does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int = Field(10, ge=1, description="how many hits at most")
    ranking: Ranking = Field("pify", description="pify: as @pify/recall; bm25: full text")
    fields: tuple[str, ...] = Field(
        DEFAULT_FIELDS,
        description="where bm25 looks: text, thinking, tool_input, tool_result, meta",
    )
    role: str | None = Field(None, description="user, assistant, toolResult, ...")
    project: str | None = Field(None, description="name or path of a working directory")
    agent: Literal["pi", "omp", "claude"] | None = None
    since: Moment = Field(None, description="not older than this")
    until: Moment = Field(None, description="older than this")
    sub_agents: bool = Field(True, description="logs of sub-agents too")
    active_only: bool = Field(False, description="no abandoned branches")
    live: str | None = Field(None, description="log of the running session, which gives no hits")
    snippet: int = Field(220, ge=1, description="length of a snippet in UTF-16 units")

    @property
    def filters(self) -> Filters:
        """Return the conditions on a document."""
        return Filters(
            self.role,
            self.project,
            self.agent,
            self.since,
            self.until,
            self.sub_agents,
            self.active_only,
        )

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> SearchOptions:
        """Check options given by name; raise UnknownOption or InputError with the way out."""
        for name in options:
            if name not in cls.model_fields:
                near = get_close_matches(name, cls.model_fields, n=1)
                hint = f"Did you mean {near[0]!r}?" if near else "See help(memlab.SearchOptions)."
                raise UnknownOption(f"Session search has no option {name!r}. {hint}")
        try:
            return cls(**{**options, **_as_tuple(options)})
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0])
            raise InputError(
                f"Option {name}={options[name]!r} cannot be used: {first['msg']}."
            ) from error


def _as_tuple(options: Mapping[str, Any]) -> dict[str, Any]:
    """One field may be given as a text."""
    fields = options.get("fields")
    return {"fields": (fields,)} if isinstance(fields, str) else {}
