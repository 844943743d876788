"""One labelled question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..backends.keys import METADATA
from ..errors import InputError
from ..models import Conversation

__all__ = ["KEY_KINDS", "METADATA", "Case", "CaseKind"]

CaseKind = Literal["labelled", "null", "unlabelled"]
KEY_KINDS = ("id", "source", "document", "content")
# trec_eval reserves room for every grade up to the highest, and takes huge ones for none.
HIGHEST = 1000


@dataclass(frozen=True, slots=True)
class Case:
    """A question, and the memories that answer it.

    ``relevant`` maps keys to grades: 1 and more is relevant, 0 is judged and
    not relevant. No relevant key at all makes a *null* case: nothing should be
    recalled. None makes an *unlabelled* case: nobody has judged it, so it is
    asked and never scored.

    ``keys`` says what the keys are: ``id`` of memories, ``source`` (the
    ``source_key`` in their metadata), ``document``, ``content`` (hashes, see
    :func:`content_key`), or ``metadata.NAME``, any field of their metadata.
    ``level`` says what a key stands for (memory, turn, session). ``bank`` names
    the bank that answers, ``cwd`` the folder where it is asked. A case may hold
    a conversation instead of a query; then the composing of the query is part
    of what is evaluated.
    """

    id: str
    query: str = ""
    relevant: Mapping[str, int] | None = None
    category: str = ""
    notes: str = ""
    bank: str = ""
    cwd: str = ""
    level: str = "memory"
    keys: str = "id"
    conversation: Conversation | None = None

    def __post_init__(self) -> None:
        """Refuse a case that cannot be asked or scored."""
        problem = next(iter(problems_of(self)), None)
        if problem:
            raise InputError(f"Case {self.id!r}: {problem}")

    @property
    def kind(self) -> CaseKind:
        """Return labelled, null (nothing answers it) or unlabelled (nobody has judged it)."""
        if self.relevant is None:
            return "unlabelled"
        return "labelled" if self.wanted else "null"

    @property
    def wanted(self) -> tuple[str, ...]:
        """Return the relevant keys, the best grades first."""
        graded = [(key, grade) for key, grade in (self.relevant or {}).items() if grade > 0]
        return tuple(key for key, _ in sorted(graded, key=lambda pair: -pair[1]))

    def record(self) -> dict[str, Any]:
        """Return the case as one line of a cases file holds it; empty fields are left out."""
        row: dict[str, Any] = {"id": self.id}
        if self.conversation is None:
            row["query"] = self.query
        else:
            # The kind goes along: what is no plain text, the agent leaves out of its query.
            row["conversation"] = [
                {"role": message.role, "text": message.text}
                | ({"kind": message.kind} if message.kind else {})
                for message in self.conversation.messages
            ]
        row["relevant"] = None if self.relevant is None else dict(self.relevant)
        row |= {name: getattr(self, name) for name in ("category", "notes", "bank", "cwd")}
        row |= {"level": "" if self.level == "memory" else self.level}
        row |= {"keys": "" if self.keys == "id" else self.keys}
        return {name: value for name, value in row.items() if value != "" or name == "query"}


def problems_of(case: Case) -> list[str]:
    """Return what is wrong with a case, in sentences."""
    found = []
    # The fields come from files: their types are not to be trusted.
    name: object = case.id
    query: object = case.query
    if not isinstance(name, str) or not name:
        found.append(f"the id is not text: {name!r}.")
    if not isinstance(query, str):
        found.append(f"the query is not text: {query!r:.80}.")
    elif not query.strip() and case.conversation is None:
        found.append("it has neither a query nor a conversation.")
    for field in ("category", "notes", "bank", "cwd", "level", "keys"):
        value: object = getattr(case, field)
        if not isinstance(value, str):
            return [*found, f"its {field} is not text: {value!r:.80}."]
    if case.keys not in KEY_KINDS and not case.keys.startswith(METADATA):
        kinds = ", ".join(KEY_KINDS)
        found.append(f"keys={case.keys!r} is none of {kinds}, and not metadata.NAME either.")
    return found + _label_problems(case.relevant)


def _label_problems(relevant: object) -> list[str]:
    if relevant is None:
        return []
    if not isinstance(relevant, Mapping):
        return [f"relevant is no mapping of keys to grades: {relevant!r:.80}."]
    found = []
    for key, grade in relevant.items():
        if not isinstance(key, str) or not key:
            found.append(f"the key {key!r} is not text.")
        if isinstance(grade, bool) or not isinstance(grade, int) or not 0 <= grade <= HIGHEST:
            found.append(f"the grade of {key!r} is {grade!r}; a grade is 0, 1, 2, … {HIGHEST}.")
    return found
