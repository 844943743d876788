"""The tool that changes memories: memory_edit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from ..autorecall.checks import text_given
from ..autorecall.style import Style
from ..errors import InputError
from ..text.redact import redact
from .protocols import Editable, EditAnswer, able
from .result import ToolResult
from .session import ready, way_of

__all__ = ["Operation", "memory_edit"]

Operation = Literal["update", "forget", "invalidate"]
_DONE = ("updated", "deleted", "invalidated")


def memory_edit(
    banks: Any,
    op: Operation,
    key: str,
    *,
    content: str | None = None,
    importance: float | None = None,
    replacement_id: str | None = None,
    style: Style | None = None,
) -> ToolResult:
    """Change, delete or invalidate a memory as the agent's ``memory_edit`` tool does.

    ``banks`` is a bank that is open for writing, or several in the order in
    which the agent looks: the one it retains to, those it recalls from, the
    shared one. ``update`` takes ``content`` and ``importance`` (cut to 0..1),
    ``invalidate`` a ``replacement_id``. Secrets in ``content`` are replaced by
    [REDACTED]. The answer says what became of it; ``details`` has status, bank
    and store. Facts are never changed.

    Raises InputError for an unknown operation, an update without anything to
    change or with what is no text or number, and a backend that cannot be edited.
    """
    if op not in get_args(Operation):
        raise InputError(f'op is "update", "forget" or "invalidate", not {op!r}.')
    if op == "update" and content is None and importance is None:
        raise InputError("memory_edit update requires content or importance.")
    text_given("key", key)
    clean = None if content is None else redact(text_given("content", content))
    share = None if importance is None else _share(importance)
    changes: Mapping[str, Mapping[str, Any]] = {
        "update": {"content": clean, "importance": share},
        "forget": {},
        "invalidate": {"replacement_id": replacement_id},
    }
    first: EditAnswer | None = None
    for bank in _each(banks):
        if way_of(bank, style, None) == "hindsight":
            raise InputError("memory_edit exists for Mnemopi alone; Hindsight has no such tool.")
        answer: EditAnswer = getattr(able(bank, Editable, "edit"), op)(key, **changes[op])
        if answer.status in _DONE:
            return _edited(answer)
        if first is None and answer.store is not None:
            first = answer
    if first is None:
        return ToolResult(f"Memory {key} was not found.", {"status": "not_found"})
    return _edited(first)


def _share(importance: Any) -> float:
    """Cut an importance to 0..1; JSON, which the agent's tool is called with, knows no NaN."""
    number = isinstance(importance, int | float) and not isinstance(importance, bool)
    if not number or math.isnan(importance):
        raise InputError(f"importance is a number from 0 to 1, not {importance!r:.80}.")
    return float(max(0.0, min(1.0, importance)))


def _edited(answer: EditAnswer) -> ToolResult:
    details = {"status": answer.status, "bank": answer.bank, "store": answer.store}
    return ToolResult(answer.text, details)


def _each(banks: Any) -> Sequence[Any]:
    several = isinstance(banks, Sequence) and not isinstance(banks, str)
    found = list(banks) if several else [banks]
    if not found:
        raise InputError("There is no bank to edit: the list is empty.")
    return [ready(bank, "mnemopi") for bank in found]
