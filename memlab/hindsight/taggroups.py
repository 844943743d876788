"""Conditions on tags that are put together of others: and, or, not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

__all__ = ["Group", "TagsMatch", "checked_groups", "is_fuzzy", "matches_groups"]

TagsMatch = Literal["any", "all", "any_strict", "all_strict", "exact"]
Group = Mapping[str, Any]


class _Leaf(BaseModel):
    # The server drops what it does not know inside a condition, without a word.
    model_config = ConfigDict(extra="forbid", strict=True)

    tags: list[str]
    match: TagsMatch = "any_strict"
    resolve: Literal["exact", "fuzzy"] = "exact"


_KINDS = ("tags", "and", "or", "not")


def checked_groups(groups: Iterable[object]) -> None:
    """Raise ValueError where the server would overlook a part of a condition, or refuse it.

    A condition is ``{"tags": [...], "match": ..., "resolve": ...}``, or
    ``{"and": [...]}``, ``{"or": [...]}``, ``{"not": ...}`` of others.
    """
    for group in groups:
        _check(group)


def _check(group: object) -> None:
    kinds = [name for name in _KINDS if isinstance(group, Mapping) and name in group]
    if len(kinds) != 1 or not isinstance(group, Mapping):
        raise ValueError(f"{group!r:.80} is no condition: it has one of {', '.join(_KINDS)}")
    (kind,) = kinds
    if kind == "tags":
        tags = group["tags"]
        _Leaf.model_validate({**group, "tags": list(tags) if isinstance(tags, tuple) else tags})
        return
    if len(group) > 1:
        raise ValueError(f"a condition with {kind} has nothing beside it; this has {list(group)}")
    parts = [group["not"]] if kind == "not" else group[kind]
    if not isinstance(parts, list | tuple) or not parts:
        raise ValueError(f"{kind} needs a list of conditions; this has {parts!r:.80}")
    checked_groups(parts)


def is_fuzzy(groups: Iterable[Group]) -> bool:
    """Tell whether a condition is met by similar tags, too: only the server knows which."""
    return any(
        group.get("resolve") == "fuzzy"
        or is_fuzzy(group.get("and") or ())
        or is_fuzzy(group.get("or") or ())
        or is_fuzzy([group["not"]] if "not" in group else ())
        for group in groups
    )


def matches_groups(tags: Iterable[str], groups: Iterable[Group]) -> bool:
    """Tell whether a memory with these tags meets all conditions, as the server decides it.

    Other than in a plain request, a condition that names no tags is one still: any_strict is
    met by nothing, exact by what has no tags. Conditions are checked before, by
    :func:`checked_groups`.
    """
    has = set(tags)
    return all(_meets(has, group) for group in groups)


def _meets(has: set[str], group: Group) -> bool:
    if "and" in group:
        return all(_meets(has, one) for one in group["and"])
    if "or" in group:
        return any(_meets(has, one) for one in group["or"])
    if "not" in group:
        return not _meets(has, group["not"])
    wanted, match = set(group["tags"]), group.get("match", "any_strict")
    if match == "exact":
        return has == wanted
    if not has:
        return match in ("any", "all")
    return bool(has & wanted) if match.startswith("any") else wanted <= has
