"""Did anything come through that lies outside the scope?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..errors import InputError
from ..frames import Column, to_frame
from ..models import Scope
from .options import TagsMatch
from .replies import RecallReply, RecallResult
from .result import HindsightRecall
from .tagfilter import matches_tags
from .taggroups import Group, is_fuzzy, matches_groups

__all__ = ["check_scope"]

_COLUMNS = (
    Column("part"), Column("id"), Column("tags", "object"), Column("verdict", "category"),
    Column("why"), Column("text"),
)  # fmt: skip


def check_scope(
    recall: HindsightRecall,
    scope: Scope | None = None,
    *,
    tags: Sequence[str] | None = None,
    match: TagsMatch | None = None,
) -> pd.DataFrame:
    """Return every result, source fact and chunk of an answer that lies outside a scope.

    The scope is one of Hindsight, or tags and match; by default what the recall
    itself asked for, with tags or tag_groups. What counts are the tags that came
    back, never what was asked. Columns: part (result, source fact, chunk), id,
    tags, verdict, why, text. A chunk has no tags of its own: it is ``outside`` where
    everything that came back from it is, and ``unknown`` where nothing came back from
    it. An empty frame means that all is in scope.

    Raises InputError for a scope of another backend, and for groups of similar tags
    (``resolve="fuzzy"``), which only the server can tell.
    """
    if scope is not None and scope.backend != "hindsight":
        raise InputError(f"The scope is one of {scope.backend}; make it with Scope.hindsight.")
    if recall.reply is None:
        raise InputError("This recall has no reply of a server to check.")
    asked = recall.options
    if scope is not None:
        rule = _plain(scope.recall_tags, scope.match or "any")
    elif tags is not None:
        rule = _plain(tags, match or "any")
    elif groups := asked.get("tag_groups"):
        rule = _grouped(groups)
    else:
        rule = _plain(asked.get("tags") or (), match or asked.get("tags_match") or "any")
    return to_frame(_outside(recall.reply, rule), _COLUMNS)


@dataclass(frozen=True)
class _Rule:
    """What is in scope, and how it is said; ``open`` where everything is."""

    fits: Callable[[Sequence[str]], bool]
    said: str
    open: bool


def _plain(wanted: Sequence[str], mode: TagsMatch) -> _Rule:
    return _Rule(
        lambda tags: matches_tags(tags, wanted, mode),
        f"{mode} of {list(wanted)}",
        not wanted and mode != "exact",
    )


def _grouped(groups: Sequence[Group]) -> _Rule:
    if is_fuzzy(groups):
        raise InputError(
            "The recall asked for tags like those given (resolve='fuzzy'); which ones these are "
            "the server alone knows. Give check_scope tags= and match= of your own."
        )
    return _Rule(lambda tags: matches_groups(tags, groups), "the tag_groups", False)


def _outside(reply: RecallReply, rule: _Rule) -> Iterator[dict[str, Any]]:
    parts: list[tuple[str, RecallResult]] = [
        *(("result", one) for one in reply.results),
        *(("source fact", one) for one in reply.source_facts.values()),
    ]
    inside: dict[str, bool] = {}
    for part, one in parts:
        fits = rule.fits(one.tags)
        if one.chunk_id:
            inside[one.chunk_id] = inside.get(one.chunk_id, False) or fits
        if not fits:
            why = f"its tags do not answer {rule.said}"
            yield {"part": part, "id": one.id, "tags": one.tags, "verdict": "outside",
                   "why": why, "text": one.text}  # fmt: skip
    for key, chunk in reply.chunks.items():
        if not inside.get(key, False) and not rule.open:
            known = key in inside
            why = "all that came back from it is outside" if known else "nothing came back from it"
            yield {"part": "chunk", "id": key, "tags": (), "why": why, "text": chunk.text,
                   "verdict": "outside" if known else "unknown"}  # fmt: skip
