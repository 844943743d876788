"""Edits of single memories, by the rules and in the words of the agent's ``memory_edit``."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

from ...errors import InputError
from ...text.javascript import well_formed
from ..schema import tables_of
from .tables import PROJECTIONS

__all__ = ["Edit", "Operation", "checked_update", "edit_memory", "purge", "remove"]

Operation = Literal["update", "forget", "invalidate"]
Status = Literal["updated", "deleted", "invalidated", "not_found", "not_editable"]
_DONE: dict[str, Status] = {
    "update": "updated", "forget": "deleted", "invalidate": "invalidated",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edit:
    """What became of an edit.

    ``status`` is updated, deleted, invalidated, not_found, or not_editable (a
    fact). ``store`` is where the id was found: working, episodic, fact or None.
    """

    id: str
    status: Status
    bank: str
    store: str | None = None

    @property
    def done(self) -> bool:
        """Tell whether anything was changed."""
        return self.status in _DONE.values()

    @property
    def text(self) -> str:
        """Return the answer of the agent's tool, to the letter."""
        place = "" if self.store is None else f" in bank {self.bank} ({self.store})"
        if self.status == "not_found":
            return f"Memory {self.id} was not found{place}."
        if self.status == "not_editable":
            return (
                f"Memory {self.id} is a read-only fact{place}; it cannot be edited. "
                f"Read it with memory://{self.id}."
            )
        return f"Memory {self.id} {self.status}{place}."

    def __str__(self) -> str:
        """Say what the tool would say."""
        return self.text


def edit_memory(
    connection: sqlite3.Connection,
    operation: Operation,
    key: str,
    found: Edit,
    *,
    changes: dict[str, Any],
    now: str,
) -> Edit:
    """Run one edit; ``found`` says where the id was looked up.

    Update and forget take working memories of this session only; invalidate
    takes either tier, of this session or global.
    """
    if found.store is None:
        return found
    if found.store == "fact":
        return Edit(key, "not_editable", found.bank, "fact")
    if operation == "invalidate":
        changed = _invalidate(connection, key, found.bank, changes.get("replacement_id"), now)
    elif found.store != "working":
        changed = False
    elif operation == "forget":
        changed = remove(connection, [key], found.bank)
    else:
        changed = _update(connection, key, found.bank, changes)
    return Edit(key, _DONE[operation] if changed else "not_found", found.bank, found.store)


def checked_update(content: object, importance: object) -> dict[str, Any]:
    """Return the columns an update sets; raise InputError in the tool's words for none."""
    if content is None and importance is None:
        raise InputError("memory_edit update requires content or importance.")
    columns: dict[str, Any] = {}
    if content is not None:
        if not isinstance(content, str):
            raise InputError(f"content={content!a:.80}: it is a text.")
        # The old embed text would be indexed instead of the new content.
        columns |= {"content": well_formed(content), "embed_text": None}
    if importance is not None:
        if not isinstance(importance, Real) or math.isnan(importance):
            raise InputError(f"importance={importance!a:.80}: it is a number from 0 to 1.")
        columns["importance"] = min(max(float(importance), 0.0), 1.0)
    return columns


def _update(
    connection: sqlite3.Connection, key: str, session: str, columns: dict[str, Any]
) -> bool:
    assignments = ", ".join(f"{name} = ?" for name in columns)
    cursor = connection.execute(
        f"UPDATE working_memory SET {assignments} WHERE id = ? AND session_id = ?",
        (*columns.values(), key, session),
    )
    return cursor.rowcount > 0


def _invalidate(
    connection: sqlite3.Connection, key: str, session: str, replacement: str | None, now: str
) -> bool:
    for table in ("working_memory", "episodic_memory"):
        cursor = connection.execute(
            f"UPDATE {table} SET valid_until = ?, superseded_by = ?"
            " WHERE id = ? AND (session_id = ? OR scope = 'global')",
            (now, replacement, key, session),
        )
        if cursor.rowcount > 0:
            return True
    return False


def remove(connection: sqlite3.Connection, keys: list[str], session: str) -> bool:
    """Delete working memories of a session with everything that hangs on them."""
    marks = ", ".join("?" * len(keys))
    cursor = connection.execute(
        f"DELETE FROM working_memory WHERE id IN ({marks}) AND session_id = ?", (*keys, session)
    )
    if cursor.rowcount > 0:
        purge(connection, keys)
    return cursor.rowcount > 0


def purge(connection: sqlite3.Connection, keys: list[str]) -> None:
    """Delete what hangs on memories: facts, notes, vectors, projections, gists and graph edges."""
    marks = ", ".join("?" * len(keys))
    facts = connection.execute(
        f"SELECT fact_id FROM facts WHERE source_msg_id IN ({marks})", keys
    ).fetchall()
    owners = {
        "facts": "source_msg_id", "annotations": "memory_id", "memory_embeddings": "memory_id",
        **dict.fromkeys(PROJECTIONS, "source_memory_id"), "gists": "memory_id",
    }  # fmt: skip
    present = tables_of(connection)
    for table, column in owners.items():
        if table in present:
            connection.execute(f"DELETE FROM {table} WHERE {column} IN ({marks})", keys)
    nodes = [*keys, *(f"gist_{key}" for key in keys), *(str(fact) for (fact,) in facts)]
    places = ", ".join("?" * len(nodes))
    connection.execute(
        f"DELETE FROM graph_edges WHERE source IN ({places}) OR target IN ({places})",
        (*nodes, *nodes),
    )
