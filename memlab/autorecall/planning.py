"""From settings and arguments to how an agent recalls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..backends import Backend
from ..settings import Settings
from .asking import Plan
from .checks import whole_number
from .salience import Corpus
from .strategies import SALIENT, Strategy, strategy_named
from .style import Style, agent_defaults, style_of

__all__ = ["make_plan"]


def make_plan(
    backend: Backend,
    settings: Settings,
    *,
    style: Style | None = None,
    turns: int | None = None,
    max_chars: int | None = None,
    token_limit: int | None = None,
    strategy: str | Strategy = "agent",
    corpus: Corpus | None = None,
    options: Mapping[str, Any] | None = None,
) -> Plan:
    """Fill what is not given from the agent's settings; salient terms are weighed by the backend.

    A token limit of 0 is none. Raises InputError for what cannot be used.
    """
    way = style_of(backend, style)
    usual = agent_defaults(way, settings)
    limit = usual.token_limit if token_limit is None else token_limit
    if strategy == SALIENT and corpus is None:
        corpus = backend
    return Plan(
        style=way,
        turns=whole_number("turns", usual.turns if turns is None else turns),
        max_chars=whole_number("max_chars", usual.max_chars if max_chars is None else max_chars),
        token_limit=None if limit is None else whole_number("token_limit", limit, least=0) or None,
        strategy=strategy_named(strategy, corpus)[1],
        options={**usual.options, **(options or {})},
    )
