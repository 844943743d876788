"""Entries of pi and oh-my-pi that are no messages, by type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..entry import Part
from ..values import kind_of, text_of, texts
from .pi_messages import one_part

__all__ = ["MADE_FOR_MODEL", "entry_parts"]

Row = Mapping[str, Any]
Parts = tuple[Part, ...]

MADE_FOR_MODEL = frozenset({"message", "compaction", "branch_summary", "custom_message"})
"""Types that the model is shown."""


def _said(kind: str, field: str) -> Callable[[Row], Parts]:
    return lambda row: one_part(kind, text_of(row.get(field)) or "")  # type: ignore[arg-type]


def _nothing(row: Row) -> Parts:  # noqa: ARG001
    return ()


def _model(row: Row) -> Parts:
    """Pi names provider and model apart, oh-my-pi as one text."""
    names = (text_of(row.get(name)) for name in ("provider", "modelId", "model"))
    return one_part("meta", "/".join(name for name in names if name))


def _custom_message(row: Row) -> Parts:
    return one_part("injected", "\n".join(texts(row.get("content"))))


_TYPES: Mapping[str, Callable[[Row], Parts]] = {
    "session": _nothing,
    "title": _nothing,
    "model_change": _model,
    "thinking_level_change": _said("meta", "thinkingLevel"),
    "compaction": _said("summary", "summary"),
    "branch_summary": _said("summary", "summary"),
    "custom": _nothing,
    "custom_message": _custom_message,
    "label": _said("meta", "label"),
    "session_info": _said("meta", "name"),
    # oh-my-pi only
    "title_change": _said("meta", "title"),
    "session_init": _said("injected", "task"),
    "mode_change": _said("meta", "mode"),
    "service_tier_change": _nothing,
    "ttsr_injection": _nothing,
    "credential_pin": _nothing,
    "model_usage": _nothing,
    "reset_boundary": _nothing,
}


def entry_parts(row: Row) -> Parts | None:
    """Return the parts of an entry, or None for a type this library has not heard of."""
    maker = _TYPES.get(kind_of(row))
    return None if maker is None else maker(row)
