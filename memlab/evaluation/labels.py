"""What is known of the memories that should have been found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..backends import Backend
from ..errors import MemlabError
from ..models import Memory
from .asking import Asker
from .case import Case
from .scripts import script_of

__all__ = ["Label", "describe_labels"]


@dataclass(frozen=True, slots=True)
class Label:
    """One relevant memory of one case, as it lies in the bank.

    ``state`` is the memory's state, "fact" for a fact, "missing" where the bank
    has no memory of that key, or "unknown" where it could not be asked. ``chars`` counts UTF-16 units.
    """

    case: str
    key: str
    grade: int
    tier: str = ""
    state: str = "missing"
    chars: int | None = None
    script: str = ""

    def record(self) -> dict[str, Any]:
        """Return the label as plain JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


def describe_labels(
    cases: Iterable[Case], chosen: Mapping[str, Backend], asker: Asker
) -> tuple[Label, ...]:
    """Look every relevant key of every case up in the bank that answers it.

    Where a bank cannot list its memories, their state is "unknown": that is no
    reason to lose the answers.
    """
    found: list[Label] = []
    for case in cases:
        keys = asker.keys(chosen[case.id])
        for key in case.wanted:
            grade = (case.relevant or {})[key]
            try:
                ids = keys.ids(case.keys).get(key, ())
                memory = keys.memories[ids[0]] if ids else None
                is_fact = memory is None and case.keys == "id" and key in keys.facts
            except MemlabError:
                found.append(Label(case.id, key, grade, state="unknown"))
                continue
            found.append(_label(case, key, memory, is_fact=is_fact))
    return tuple(found)


def _label(case: Case, key: str, memory: Memory | None, *, is_fact: bool) -> Label:
    grade = (case.relevant or {})[key]
    if memory is not None:
        script = script_of(memory.text)
        return Label(case.id, key, grade, memory.tier, memory.state, memory.chars, script)
    return Label(case.id, key, grade, "fact", "fact") if is_fact else Label(case.id, key, grade)
