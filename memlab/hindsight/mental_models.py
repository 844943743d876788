"""The block of mental models: summaries the server keeps, shown to the agent at every prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cmp_to_key
from typing import Any

from ..text.collation import compare
from ..text.javascript import BLANKS, trim
from ..text.units import joined, units

__all__ = ["MAX_CHARS", "mental_models_block", "visible_models"]

Model = Mapping[str, Any]
MAX_CHARS = 16_000
"""How many UTF-16 units the block may have, unless the settings say otherwise."""
_OPEN, _CLOSE = "<mental_models>\n", "\n</mental_models>"
_WRAPPER = len(_OPEN) + len(_CLOSE)
_MARK = "\n\n…[mental-model snapshot truncated at render budget]"
_LEAST_ROOM = 64
_LEAST_EACH = 120


def visible_models(models: Iterable[Model], tags: Sequence[str] = ()) -> list[Model]:
    """Return the models that the agent shows: with content, and in sight of the tags, by name.

    Without ``tags`` all are in sight; else those without tags, and those that share one.
    """
    seen = [
        model
        for model in models
        if isinstance(model.get("content"), str) and trim(model["content"])
        if not tags or not model.get("tags") or set(model["tags"]) & set(tags)
    ]
    return sorted(seen, key=cmp_to_key(_by_name))


def _by_name(left: Model, right: Model) -> int:
    return compare(left["name"], right["name"])


def mental_models_block(models: Sequence[Model], max_chars: int = MAX_CHARS) -> str:
    """Render models, in the order given, into a block of at most ``max_chars`` UTF-16 units.

    The room is shared evenly, at least 120 units each; what is longer is cut
    with an ellipsis, and sections that no longer fit are left out. Either is
    said at the end. Below 97 units, and without models, there is no block.
    A model has a ``name`` and a ``content``.
    """
    if not models or max_chars < _WRAPPER + _LEAST_ROOM:
        return ""
    room = max(0, max_chars - _WRAPPER - len(_MARK))
    sections, cut = _sections(models, room, max(_LEAST_EACH, room // len(models)))
    body = "\n\n".join(sections)
    block = f"{_OPEN}{body}{_MARK if cut else ''}{_CLOSE}"
    if len(block) > max_chars:
        left = max(0, max_chars - _WRAPPER - (len(_MARK) if cut else 0))
        block = f"{_OPEN}{body[:left].rstrip(BLANKS)}{_MARK}{_CLOSE}"
    return joined(block)


def _sections(models: Sequence[Model], room: int, each: int) -> tuple[list[str], bool]:
    """Return the sections that fit, and whether anything was cut or left out."""
    sections: list[str] = []
    used, cut = 0, False
    for model in models:
        body = trim(units(model.get("content") or ""))
        shown = body if len(body) <= each else f"{body[: each - 1]}…"
        cut = cut or len(shown) < len(body)
        section = f"# {units(model['name'])}\n{shown}"
        cost = len(section) + (2 if sections else 0)
        if sections and used + cost > room:
            return sections, True
        sections.append(section)
        used += cost
    return sections, cut
