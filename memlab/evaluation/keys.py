"""From what a backend calls its memories to the keys that cases are labelled with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ..backends import Backend
from ..backends.keys import content_key, field_named, metadata_field
from ..models import Hit, Memory

__all__ = ["KeyMap", "content_key"]


class KeyMap:
    """The keys of a backend's memories, looked up when they are first needed."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._ids: dict[str, Mapping[str, tuple[str, ...]]] = {}

    @cached_property
    def memories(self) -> Mapping[str, Memory]:
        """Return the stored memories by id."""
        return {memory.id: memory for memory in self._backend.memories()}

    @cached_property
    def facts(self) -> frozenset[str]:
        """Return the ids of the extracted facts, where the backend has any."""
        facts = getattr(self._backend, "facts", None)
        return frozenset(fact.id for fact in facts()) if callable(facts) else frozenset()

    def key(self, hit: Hit, kind: str) -> str:
        """Return the key of a hit; one that has none of that kind gets ``id:`` and its id."""
        if kind == "id":
            return hit.id
        memory = self.memories.get(hit.id)
        if kind == "content":
            # A hit's text may be cut: the stored text is what counts.
            return content_key(memory.text if memory else hit.text)
        name = field_named(kind)
        stored = memory.metadata if memory and memory.metadata else {}
        found = metadata_field(hit.raw, name) or metadata_field(stored, name)
        return found or f"id:{hit.id}"

    def ids(self, kind: str) -> Mapping[str, tuple[str, ...]]:
        """Return for each key the ids of the memories that have it."""
        if kind not in self._ids:
            self._ids[kind] = self._ids_of(kind)
        return self._ids[kind]

    def _ids_of(self, kind: str) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for memory in self.memories.values():
            key = self.key(_bare(memory), kind)
            found[key] = (*found.get(key, ()), memory.id)
        return found


def _bare(memory: Memory) -> Hit:
    return Hit(0, memory.id, memory.text, None, memory.tier, raw=memory.metadata or {})
