"""What the lines of a run file and of a baseline must be: files come from anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, ValidationError, model_validator

from ..models import Outcome

__all__ = ["AnswerShape", "BaselineShape", "HeadShape", "LabelShape", "fit"]

Ending = Literal["ok", "empty", "timeout", "refused", "unavailable", "invalid_reply", "error"]


class Shape(BaseModel):
    """An object with these fields, of these types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class HitShape(Shape):
    """One hit of an answer."""

    rank: NonNegativeInt
    id: str
    text: str
    score: float | None = None
    tier: str
    source: str | None = None
    timestamp: str | None = None
    scores: Mapping[str, float | None] = {}


class AnswerShape(Shape):
    """One answer, as :meth:`Answer.record` writes it."""

    case: str
    outcome: Ending | Outcome
    query: str = ""
    hits: Sequence[HitShape] = ()
    keys: Sequence[str] = ()
    hit_tokens: Sequence[int] = ()
    tokens: int = 0
    cut: int = 0
    seconds: float = 0.0
    places: Sequence[Sequence[str]] = ()
    outside: Sequence[bool] | None = None
    error: str = ""
    lost: Mapping[str, Sequence[str]] = {}

    @model_validator(mode="after")
    def one_of_each(self) -> AnswerShape:
        """Refuse an answer that does not say the same number of things of its hits."""
        parts = [self.keys, self.hit_tokens, self.places]
        parts += [] if self.outside is None else [self.outside]
        if {len(part) for part in parts} - {len(self.hits)}:
            raise ValueError(f"it has {len(self.hits)} hits, and not as many keys, tokens, places")
        if any(len(told) != 2 for told in self.lost.values()):
            raise ValueError("what was lost has a stage and a sentence")
        return self


class LabelShape(Shape):
    """What is known of one relevant memory."""

    case: str
    key: str
    grade: int
    tier: str
    state: str
    chars: int | None
    script: str


class ContextShape(Shape):
    """The circumstances of a run."""

    memlab: str
    options: Mapping[str, Any]
    data: Mapping[str, str]
    cases: str
    labels: str = ""
    variables: Mapping[str, str] = {}
    started: str = ""
    versions: Mapping[str, str] = {}


class HeadShape(Shape):
    """The first line of a run file."""

    format: int
    backend: str
    label: str | None
    measures: Sequence[str]
    context: ContextShape


class BaselineShape(Shape):
    """A baseline file."""

    memlab_baseline: int
    name: str
    failed: NonNegativeInt
    tolerance: Mapping[str, float | None]
    context: ContextShape
    groups: Mapping[str, str]
    values: Mapping[str, Mapping[str, float]]


def fit(shape: type[Shape], row: object) -> None:
    """Raise ValueError, in one line, where a decoded row has not this shape."""
    try:
        shape.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "it"
        raise ValueError(f"{place}: {first['msg']}") from None
