"""Dialects of session logs: which one a file is written in, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, get_args

from ..entry import Entry, Header
from ..values import kind_of, mapping
from . import claude, pi

__all__ = ["AGENTS", "Agent", "Dialect", "detect", "dialect_of"]

Agent = Literal["pi", "omp", "claude"]
AGENTS: tuple[Agent, ...] = get_args(Agent)

Row = Mapping[str, Any]
Rows = Sequence[tuple[int, Row]]

OMP_TYPES = frozenset(
    {
        "title",
        "title_change",
        "session_init",
        "mode_change",
        "service_tier_change",
        "ttsr_injection",
        "credential_pin",
        "model_usage",
        "reset_boundary",
    }
)
OMP_HEADER = frozenset(
    {
        "title",
        "titleSource",
        "additionalDirectories",
        "previousSessionFiles",
        "providerPromptCacheKey",
    }
)
CLAUDE_FIELDS = frozenset(
    {
        "sessionId",
        "uuid",
        "parentUuid",
        "leafUuid",
        "aiTitle",
        "customTitle",
        "snapshot",
    }
)


class Dialect(NamedTuple):
    """One adapter: rows (line number, object) to what the log says of itself, and to entries."""

    header: Callable[[Rows, Callable[[int, str], None]], Header]
    entries: Callable[[Rows], Iterator[Entry]]


_PI = Dialect(pi.header, pi.entries)
_CLAUDE = Dialect(claude.header, claude.entries)


def _speaks_omp(row: Row) -> bool:
    kind = kind_of(row)
    if kind == "session":
        return not OMP_HEADER.isdisjoint(row)
    if kind == "model_change":
        return "modelId" not in row
    return kind in OMP_TYPES or mapping(row.get("message")).get("role") == "developer"


def _speaks_claude(row: Row) -> bool:
    return kind_of(row) in claude.TYPES and not CLAUDE_FIELDS.isdisjoint(row)


def detect(rows: Iterable[Row], path: PurePath) -> Agent:
    """Return whose log it is, by what its lines look like; a log that says nothing is pi's."""
    for row in rows:
        if _speaks_claude(row):
            return "claude"
        if _speaks_omp(row):
            return "omp"
    return "omp" if ".omp" in path.parts else "pi"


def dialect_of(agent: Agent) -> Dialect:
    """Return the adapter of an agent's logs; pi and oh-my-pi share one."""
    return _CLAUDE if agent == "claude" else _PI
