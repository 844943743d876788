"""The server's tag filter as a pure function, over any memories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import pandas as pd

from ..errors import InputError
from ..frames import Column, to_frame
from .options import TagsMatch

__all__ = ["MODES", "filter_by_tags", "matches_tags", "tag_table"]

MODES: tuple[TagsMatch, ...] = get_args(TagsMatch)

# The four memories of the server's own documentation, and the four requests of its table.
_EXAMPLES: Sequence[tuple[str, tuple[str, ...]]] = (
    ("Alice prefers async communication", ("user:alice",)),
    ("Bob dislikes long meetings", ("user:bob",)),
    ("Team uses Slack for announcements", ("user:alice", "team")),
    ("Company policy: no meetings on Fridays", ()),
)
_REQUESTS: Sequence[tuple[str, ...] | None] = (
    None, (), ("user:alice",), ("user:alice", "team"),
)  # fmt: skip


def matches_tags(
    tags: Iterable[str], wanted: Sequence[str] | None, mode: TagsMatch = "any"
) -> bool:
    """Tell whether a memory with these tags answers a request for ``wanted``.

    any, all: one, or every wanted tag; a memory without tags is always in.
    any_strict, all_strict: the same, and a memory without tags is out.
    exact: the same set of tags; without wanted tags, only memories without.
    In the other modes no wanted tags mean no filter. Tags are compared letter
    by letter.
    """
    if mode not in MODES:
        raise InputError(f"tags_match={mode!r} is none of {', '.join(MODES)}.")
    if isinstance(wanted, str):
        raise InputError(f"tags={wanted!r}: give a list, like [{wanted!r}].")
    has, asked = set(tags), set(wanted or ())
    if mode == "exact":
        return has == asked
    if not asked:
        return True
    if not has:
        return mode in ("any", "all")
    return bool(has & asked) if mode.startswith("any") else asked <= has


def filter_by_tags(
    frame: pd.DataFrame, wanted: Sequence[str] | None, mode: TagsMatch = "any"
) -> pd.DataFrame:
    """Return the rows of a frame of memories that the server's filter would let through.

    The frame has a column ``tags``, as those of ``memories()`` have: lists, tuples, sets or
    arrays; what is missing has no tags. Raises InputError where there is no such column, or a
    text in it: read from a file, a list of tags is one.
    """
    if "tags" not in frame:
        raise InputError(f"The frame has no column tags; it has {', '.join(map(str, frame))}.")
    keep = [matches_tags(_tags(value), wanted, mode) for value in frame["tags"]]
    return frame[pd.Series(keep, index=frame.index, dtype=bool)]


def _tags(value: Any) -> Iterable[str]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return value
    if pd.isna(value):
        return ()
    raise InputError(f"The column tags holds {value!r:.80}; it needs lists of tags.")


def tag_table(
    memories: Sequence[tuple[str, Sequence[str]]] = _EXAMPLES,
    requests: Sequence[Sequence[str] | None] = _REQUESTS,
) -> pd.DataFrame:
    """Return the truth table: each mode with each request, and what comes through.

    Columns: mode, tags (as asked; missing for none), kept (the number), and one
    column per memory. The default memories and requests are those of the
    server's documentation: five modes times four requests.
    """
    rows = [
        {
            "mode": mode,
            "tags": None if wanted is None else list(wanted),
            "kept": sum(matches_tags(tags, wanted, mode) for _, tags in memories),
            **{text: matches_tags(tags, wanted, mode) for text, tags in memories},
        }
        for mode in MODES
        for wanted in requests
    ]
    texts = [Column(text, "bool") for text, _ in memories]
    return to_frame(rows, [Column("mode"), Column("tags", "object"), Column("kept", "int"), *texts])
