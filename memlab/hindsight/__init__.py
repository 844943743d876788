"""Hindsight: the memory server, as the agent uses it, and a local one of one's own."""

from __future__ import annotations

import importlib
import typing

if typing.TYPE_CHECKING:
    from .archive import make_archive, read_archive
    from .bank import Hindsight
    from .boosts import Candidate
    from .explain import Explanation
    from .flipping import flips, order_is_recency
    from .ingest import IngestReport
    from .memory import HindsightMemories, HindsightMemory
    from .options import HindsightOptions
    from .ownserver import local
    from .projects import project_tags
    from .result import HindsightRecall
    from .scopecheck import check_scope
    from .tagfilter import filter_by_tags, matches_tags, tag_table
    from .trace import RecallTrace

# Loaded when they are first used: the HTTP client takes a while to import.
_HOMES = {
    "Candidate": "boosts",
    "Explanation": "explain",
    "Hindsight": "bank",
    "HindsightMemories": "memory",
    "HindsightMemory": "memory",
    "HindsightOptions": "options",
    "HindsightRecall": "result",
    "IngestReport": "ingest",
    "RecallTrace": "trace",
    "check_scope": "scopecheck",
    "filter_by_tags": "tagfilter",
    "flips": "flipping",
    "local": "ownserver",
    "make_archive": "archive",
    "matches_tags": "tagfilter",
    "order_is_recency": "flipping",
    "project_tags": "projects",
    "read_archive": "archive",
    "tag_table": "tagfilter",
}

__all__ = [
    "Candidate",
    "Explanation",
    "Hindsight",
    "HindsightMemories",
    "HindsightMemory",
    "HindsightOptions",
    "HindsightRecall",
    "IngestReport",
    "RecallTrace",
    "check_scope",
    "filter_by_tags",
    "flips",
    "local",
    "make_archive",
    "matches_tags",
    "order_is_recency",
    "project_tags",
    "read_archive",
    "tag_table",
]


def __getattr__(name: str) -> typing.Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
