"""Where a memory that should have been found was lost."""

from __future__ import annotations

from ..errors import MemoryNotFound
from .case import Case
from .keys import KeyMap
from .targets import Reply, Target

__all__ = ["Lost", "ids_of", "lost", "lost_at"]

Lost = tuple[str, str]
"""The stage at which a memory was lost, and a sentence that says why."""


def ids_of(target: Target, case: Case, key: str, keys: KeyMap | None = None) -> tuple[str, ...]:
    """Return the ids of the memories that a key of a case stands for."""
    if case.keys == "id":
        return (key,)
    return (keys or KeyMap(target.backend)).ids(case.keys).get(key, ())


def lost_at(reply: Reply, name: str) -> Lost:
    """Return stage and sentence of what became of a memory; empty where nobody can tell."""
    if reply.recall is not None and name in reply.recall.ids:
        if name in (hit.id for hit in reply.hits):
            return "returned", "It was recalled."
        return "cut from the block", "It was recalled, and did not fit into the block."
    explain = getattr(reply.recall, "explain", None)
    if not callable(explain):
        return "", ""
    try:
        found = explain(name)
    except MemoryNotFound:
        return "not in the bank", "The bank has no such memory."
    return str(found.stage), str(found.sentence)


def lost(
    target: Target, reply: Reply, case: Case, keys: KeyMap, found: tuple[str, ...]
) -> dict[str, Lost]:
    """Return what became of each relevant key that was not found."""
    gone = [key for key in case.wanted if key not in found]
    told: dict[str, Lost] = {}
    for key in gone:
        names = ids_of(target, case, key, keys)
        told[key] = lost_at(reply, names[0]) if names else ("not in the bank", "No such key.")
    return told
