"""Every knob of a recall, with the engine's own values as defaults."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..errors import InputError, InvalidTime, UnknownOption
from ..text.dates import iso_millis, parse_millis

__all__ = ["RecallOptions"]

VERACITY = {
    "stated": 1.0,
    "true": 1.0,
    "likely_true": 1.0,
    "inferred": 0.7,
    "imported": 0.6,
    "tool": 0.5,
    "false": 0.0,
}


class RecallOptions(BaseModel):
    """All options of a Mnemopi recall; the defaults are what the agent calls.

    The first group are choices of the caller, the second the engine's
    constants. Times are ISO text or datetimes; half-lives and the like are in
    hours; lengths in UTF-16 units.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    limit: float = Field(
        8, description="how many hits at most; a fraction is cut as the engine does"
    )
    mode: Literal["enhanced", "plain", "facts"] = Field(
        "enhanced", description="enhanced: what the agent calls; plain: one pass; facts: facts only"
    )
    include_facts: bool = Field(True, description="mix extracted facts into the hits")
    include_working: bool = Field(True, description="look into working memory at all")
    now: str | None = Field(None, description="the clock; default: the real one")
    session: str | None = Field(
        None, description="whose rows are visible; default: the bank's name"
    )
    channel: str | None = Field(None, description="channel; default: the session; '' for none")
    any_session: bool = Field(False, description="ignore session and scope")
    author_id: str | None = Field(None, description="only rows of this author")
    author_type: str | None = Field(None, description="only rows of this kind of author")
    from_date: str | None = Field(None, description="YYYY-MM-DD, compared as text")
    to_date: str | None = Field(None, description="YYYY-MM-DD, compared as text")
    source: str | None = Field(None, description="only rows from this source")
    topic: str | None = Field(
        None, description="compared with the source column, as the engine does"
    )
    veracity: str | None = Field(None, description="only rows of this veracity")
    memory_type: str | None = Field(None, description="only rows of this type")
    query_time: str | None = Field(None, description="the instant that recency is counted from")
    query_vector: tuple[float, ...] | None = Field(None, description="the query's embedding")
    synonyms: bool = Field(True, description="ask for synonyms of the query's words too")
    intent: bool | None = Field(None, description="default: only in mode enhanced")
    mmr: bool | None = Field(None, description="default: only in mode enhanced")
    current_sensitive: bool | None = Field(None, description="default: as the query asks")
    preview_chars: int = Field(500, description="hits are cut to this length; 0: not cut")

    vec_weight: float = Field(0.5, description="share of meaning in an episodic score")
    fts_weight: float = Field(0.3, description="share of full text in an episodic score")
    importance_weight: float = Field(0.2, description="share of importance in every score")
    temporal_weight: float | None = Field(None, description="default: as the query's dates imply")
    temporal_halflife: float = Field(
        24.0, description="hours in which the boost of a date fades (to 1/e)"
    )
    dated_temporal_weight: float = Field(0.35, description="where the query mentions a date")
    current_temporal_weight: float = Field(0.45, description="where it asks for the present")
    recency_hours: float = Field(72.0, description="hours in which a memory fades (to 1/e)")
    recency_share: float = Field(0.3, description="how much of a score fades with age")
    term_cap: int = Field(12, description="words of the query that full text is asked for")
    candidate_factor: int = Field(3, description="rows per search: this many times the limit")
    candidate_floor: int = Field(50, description="rows per search: at least so many")
    scan_limit: int = Field(
        500, description="newest rows scanned for vectors, or without any match"
    )
    min_relevance: tuple[float, float, float, float] = Field(
        (0.08, 0.18, 0.34, 0.22), description="threshold for 0-1, 2, 3 and more words"
    )
    dense_floor: float = Field(0.65, description="a vector this close passes without words")
    fts_keyword_share: float = Field(
        0.6, description="what a full-text match alone counts as keyword match"
    )
    keyword_square: float = Field(
        0.08, description="extra weight of a good keyword match (its square)"
    )
    working_keyword_share: float = Field(0.6, description="weight of keywords in a working score")
    working_dense_share: float = Field(
        0.2, description="weight of a vector match in a working score"
    )
    episodic_keyword_share: float = Field(
        0.8, description="an episodic score is at least this times the keyword match"
    )
    tier_factors: tuple[float, float, float] = Field(
        (1.0, 0.85, 0.7), description="tier 1, 2, other"
    )
    veracity_factors: Mapping[str, float] = Field(
        default_factory=lambda: dict(VERACITY), description="factor of each veracity"
    )
    veracity_default: float = Field(
        0.8, description="factor where the veracity has none of its own"
    )
    current_factor: float = Field(
        1.35, description="factor for a text that calls itself current, where the query asks for it"
    )
    outdated_factor: float = Field(
        0.72,
        description="factor for a text that calls itself outdated, where the query asks for the current",
    )
    coverage_gain: float = Field(
        0.06, description="what each new query word in a text adds while the list is picked"
    )
    coverage_min_terms: int = Field(
        4, description="words a query needs before the list is picked by coverage"
    )
    mmr_lambda: float = Field(0.7, description="1: by score alone; 0: by difference alone")
    oversample: int = Field(2, description="mode enhanced recalls this many times the limit first")
    hide_summaries: bool = Field(True, description="drop summaries of rows that were found")
    fact_scan_terms: int = Field(
        6, description="words that facts are scanned for where full text finds none"
    )
    fact_relevance_base: float = Field(
        0.7, description="share of a fact score that is there from the start"
    )
    fact_confidence_share: float = Field(0.2, description="share that grows with confidence")
    fact_fts_share: float = Field(0.1, description="share that grows with the full-text rank")

    @field_validator("now", "from_date", "to_date", "query_time", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        return iso_millis(value) if isinstance(value, datetime) else value

    @property
    def enhanced(self) -> bool:
        """Tell whether this is the recall that the agent calls."""
        return self.mode == "enhanced"

    def uses(self, feature: Literal["intent", "mmr"]) -> bool:
        """Tell whether a feature is on: as asked, else as the mode has it."""
        asked = getattr(self, feature)
        return self.enhanced if asked is None else bool(asked)

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> RecallOptions:
        """Check options given by name; raise UnknownOption or InputError with the way out."""
        for name in options:
            if name not in cls.model_fields:
                near = get_close_matches(name, cls.model_fields, n=1)
                hint = f"Did you mean {near[0]!r}?" if near else "See help(memlab.RecallOptions)."
                raise UnknownOption(f"Mnemopi recall has no option {name!r}. {hint}")
        try:
            checked = cls(**options)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            raise InputError(
                f"Option {name}={first['input']!r} cannot be used: {first['msg']}."
            ) from error
        if checked.now is not None and parse_millis(checked.now) is None:
            raise InvalidTime(
                f"now={checked.now!r} is not a time. Write it like 2026-03-01T12:00:00Z."
            )
        return checked
