"""Tags that look like one project: where a bank has come apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from ..frames import Column, to_frame
from .replies import TagReply

__all__ = ["project_tags"]

_WORDS = re.compile(r"[^a-z0-9]+")
_COLUMNS = (
    Column("tag"), Column("count", "int"), Column("looks_like"), Column("share", "float"),
    Column("why"),
)  # fmt: skip
_PREFIX = "project:"


def project_tags(tags: Iterable[TagReply] | Mapping[str, int]) -> pd.DataFrame:
    """Return the project tags of a bank, with the project that each seems to belong to.

    Agents that name a project after its directory give each worktree and each
    spelling a tag of its own. Two tags look like one project where they differ
    in case or punctuation only, or where one begins with the other and a
    separator (``monorepo-HOA-5574``). Columns: tag, count, looks_like (the tag
    with the most memories of the group), share (of the group's memories), why.
    """
    counts = dict(tags) if isinstance(tags, Mapping) else {one.tag: one.count for one in tags}
    counts = {tag: count for tag, count in counts.items() if tag.startswith(_PREFIX)}
    groups: dict[str, list[str]] = {}
    for tag in sorted(counts, key=lambda tag: (len(_plain(tag)), tag)):
        stem = next((one for one in groups if _same(one, _plain(tag))), _plain(tag))
        groups.setdefault(stem, []).append(tag)
    rows = [row for members in groups.values() for row in _rows(members, counts)]
    rows.sort(key=lambda row: (str(row["looks_like"]), -int(row["count"] or 0), str(row["tag"])))
    return to_frame(rows, _COLUMNS)


def _rows(members: list[str], counts: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    best = max(members, key=lambda tag: (counts[tag], -len(tag)))
    whole = sum(counts[tag] for tag in members)
    for tag in members:
        share = counts[tag] / whole if whole else None
        yield {"tag": tag, "count": counts[tag], "looks_like": best, "share": share,
               "why": _why(tag, best)}  # fmt: skip


def _plain(tag: str) -> str:
    return _WORDS.sub("-", tag.removeprefix(_PREFIX).lower()).strip("-")


def _same(stem: str, plain: str) -> bool:
    return bool(stem) and (plain == stem or plain.startswith(f"{stem}-"))


def _why(tag: str, best: str) -> str | None:
    if tag == best:
        return None
    return "another spelling" if _plain(tag) == _plain(best) else "a longer or shorter name"
