"""A stored memory as the agent's ``memory://ID`` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["stored"]

_TEXTS = ("source", "timestamp", "veracity", "created_at", "session_id")


def stored(bank: str, key: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Keep what the agent keeps of the engine's answer: values of the wrong kind become None.

    ``memory_type`` is always None, for the engine does not select it.
    """
    store, importance = found["memory_store"], found.get("importance")
    number = isinstance(importance, int | float) and not isinstance(importance, bool)
    row = {name: found.get(name) if isinstance(found.get(name), str) else None for name in _TEXTS}
    metadata = found.get("metadata")
    return {
        "bank": bank,
        "store": store if store in ("episodic", "fact") else "working",
        "row": {
            "id": found["id"] if isinstance(found.get("id"), str) else key,
            "content": found["content"] if isinstance(found.get("content"), str) else "",
            "importance": importance if number else None,
            "memory_type": None,
            "metadata": found.get("metadata_json") if metadata is None else metadata,
            **row,
        },
    }
