"""The reading of one memory by its address, memory://ID."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..autorecall.checks import text_given
from ..autorecall.style import Style
from ..errors import InputError, MemoryNotFound
from ..mnemopi import Mnemopi
from ..mnemopi.scoped.stored import stored
from ..settings import Settings
from ..text.javascript import number_text
from .protocols import Readable
from .result import ToolResult
from .session import ready, way_of

__all__ = ["read_memory"]

_SCHEME = "memory://"
_FIELDS = (
    "memory_type", "source", "timestamp", "created_at", "importance", "veracity", "session_id",
)  # fmt: skip


def read_memory(
    backend: Any, key: str, *, style: Style | None = None, settings: Settings | None = None
) -> ToolResult:
    """Read a whole memory or fact, as the agent reads ``memory://ID``.

    Recall shows at most 500 units of a memory; this has all of it, behind the
    fields that are known of it. ``key`` is the id, with or without the scheme.

    Raises MemoryNotFound where no bank has it, and InputError for Hindsight,
    whose memories have no address.
    """
    if way_of(backend, style, settings) == "hindsight":
        raise InputError(
            "Memories of Hindsight have no address; use recall or reflect. memory:// exists for "
            "Mnemopi alone."
        )
    name = text_given("key", key).removeprefix(_SCHEME)
    source = ready(backend, "mnemopi")
    found = _found(source, name)
    if found is None:
        raise MemoryNotFound(
            f"Mnemopi memory {name} not found in the calling session's scoped bank. "
            "Use `recall` to list available ids."
        )
    return ToolResult(_text(found), {"bank": found["bank"], "store": found["store"]})


def _found(source: Any, key: str) -> Mapping[str, Any] | None:
    if not isinstance(source, Readable):
        raise InputError(f"{source!r} has no lookup, so single memories cannot be read from it.")
    found = source.lookup(key)
    if found is not None and isinstance(source, Mnemopi):
        return stored(source.bank, key, found)
    return found


def _text(found: Mapping[str, Any]) -> str:
    row = found["row"]
    known = {name: row[name] for name in _FIELDS if row[name] not in (None, "")}
    if "importance" in known:
        known["importance"] = number_text(known["importance"])
    if row["metadata"] is not None:
        known["metadata"] = json.dumps(row["metadata"], ensure_ascii=False, separators=(",", ":"))
    head = {"id": row["id"], "bank": found["bank"], "store": found["store"], **known}
    lines = "".join(f"{name}: {value}\n" for name, value in head.items())
    return f"---\n{lines}---\n\n{row['content']}"
