"""What the agent does otherwise for one backend than for the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

from ..errors import InputError
from ..mnemopi import texts as mnemopi_texts
from ..models import Hit, Recall
from ..settings import Settings

__all__ = [
    "AgentDefaults",
    "Style",
    "agent_defaults",
    "block_of",
    "records",
    "style_of",
    "texts_of",
]

Style = Literal["mnemopi", "hindsight"]


def style_of(backend: Any, style: Style | None = None) -> Style:
    """Return which of its two ways the agent would take with a backend.

    It is read from the name (``mnemopi:...`` or ``hindsight:...``); ``style``
    says it for a backend of any other name. Raises InputError for neither.
    """
    named = str(getattr(backend, "name", backend)).partition(":")[0] if style is None else style
    for known in get_args(Style):
        if named == known:
            return known  # type: ignore[no-any-return]
    if style is not None:
        raise InputError(f'style is "mnemopi" or "hindsight", not {style!r}.')
    raise InputError(
        f"The agent knows no backend {named!r}, so memlab cannot tell which texts and defaults to "
        'use. Give style="mnemopi" or style="hindsight".'
    )


@dataclass(frozen=True)
class AgentDefaults:
    """What the agent's settings say about its automatic recall.

    ``token_limit`` (None: no limit) cuts the block at four units a token;
    ``options`` are passed to the backend.
    """

    turns: int
    max_chars: int
    token_limit: int | None
    enabled: bool
    options: Mapping[str, Any] = field(default_factory=dict)


def agent_defaults(style: Style, settings: Settings) -> AgentDefaults:
    """Return the agent's own values for a backend."""
    if style == "mnemopi":
        own = settings.mnemopi
        return AgentDefaults(
            own.recall_context_turns,
            own.recall_max_query_chars,
            own.injection_token_limit,
            own.auto_recall,
            {"limit": own.recall_limit},
        )
    theirs = settings.hindsight
    return AgentDefaults(
        theirs.recall_context_turns,
        theirs.recall_max_query_chars,
        None,
        theirs.auto_recall,
        {
            "budget": theirs.recall_budget,
            "max_tokens": theirs.recall_max_tokens,
            "types": theirs.recall_types,
        },
    )


def records(recall: Recall, style: Style) -> list[Mapping[str, Any]]:
    """Return the hits as the records that the agent's texts are made of."""
    return [_record(hit, style) for hit in recall.hits]


def _record(hit: Hit, style: Style) -> Mapping[str, Any]:
    if ("content" if style == "mnemopi" else "text") in hit.raw:
        return hit.raw
    if style == "hindsight":
        return {"text": hit.text, **hit.raw}
    plain = {"content": hit.text, "id": hit.id, "source": hit.source, "timestamp": hit.timestamp}
    return {**plain, "score": hit.score, **hit.raw}


def block_of(found: list[Mapping[str, Any]], style: Style) -> str:
    """Return the block that auto-recall makes of records; empty without any."""
    return texts_of(style).recall_block(found) if found else ""


class _Texts(Protocol):
    """What the texts of both backends have in common."""

    def recall_block(self, results: Sequence[Mapping[str, Any]]) -> str: ...
    def tool_text(self, results: Sequence[Mapping[str, Any]], now: str) -> str: ...


def texts_of(style: Style) -> _Texts:
    """Return the module that makes the agent's texts for a backend."""
    if style == "mnemopi":
        return mnemopi_texts
    from ..hindsight import texts  # its package brings the HTTP client along

    return texts
