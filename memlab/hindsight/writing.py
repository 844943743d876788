"""What changes a bank; all of it needs ``writable=True``."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from ..errors import HindsightBankNotFound, HindsightNotFound, HindsightTimeout, InputError
from .base import Base
from .ids import document_id, name_id, tag_list, uuid
from .memory import HindsightMemory, as_memory
from .replies import (
    ConfigReply,
    DeletedReply,
    DirectiveReply,
    MemoryReply,
    OperationReply,
    StartedReply,
    read,
)

__all__ = ["Writing"]

_FINISHED = ("completed", "failed", "cancelled", "not_found")
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 2.0


class Writing(Base):
    """What can be changed."""

    def create_bank(
        self,
        *,
        reflect_mission: str | None = None,
        retain_mission: str | None = None,
        **settings: Any,
    ) -> Mapping[str, Any]:
        """Create the bank, or change what is given of it; ``settings`` are the server's own names."""
        body = {"reflect_mission": reflect_mission, "retain_mission": retain_mission, **settings}
        answer: Mapping[str, Any] = self._write("createBank", "PUT", self._path(), body)
        return answer

    def delete_bank(self) -> int:
        """Delete the bank with all it holds; return the server's count of what was deleted.

        The server says yes to a bank that never was, so it is looked for first.
        Raises HindsightBankNotFound.
        """
        self._allow("delete_bank")
        self._ask("stats", self._path("stats"))
        data = self._write("delete_bank", "DELETE", self._path())
        return read("delete_bank", DeletedReply, data).deleted_count or 0

    def set_config(self, **values: Any) -> ConfigReply:
        """Change settings of the bank, by the server's names; None takes one back.

        The server would create a missing bank, so it is looked for first.
        """
        self._allow("set_config")
        self._ask("stats", self._path("stats"))
        body = {"updates": values}
        data = self._write("set_config", "PATCH", self._path("config"), body)
        return read("set_config", ConfigReply, data)

    def edit(
        self,
        key: str,
        *,
        text: str | None = None,
        context: str | None = None,
        occurred_start: datetime | str | None = None,
        occurred_end: datetime | str | None = None,
        mentioned_at: datetime | str | None = None,
    ) -> HindsightMemory:
        """Change a memory (world or experience; the server refuses observations)."""
        given = {
            "text": text,
            "context": context,
            "occurred_start": occurred_start,
            "occurred_end": occurred_end,
            "mentioned_at": mentioned_at,
        }
        body = {name: _text(value) for name, value in given.items() if value is not None}
        if not body:
            raise InputError(f"There is nothing to change: give one of {', '.join(given)}.")
        return self._patch("edit", key, body)

    def invalidate(self, key: str, reason: str | None = None) -> HindsightMemory:
        """Take a memory out of lists and recall; it stays by id, and :meth:`revive` brings it back."""
        return self._patch("invalidate", key, {"state": "invalidated", "reason": reason})

    def revive(self, key: str) -> HindsightMemory:
        """Make an invalidated memory valid again."""
        return self._patch("revive", key, {"state": "valid"})

    def _patch(self, operation: str, key: str, body: Mapping[str, Any]) -> HindsightMemory:
        where = self._path("memories", uuid("memory", key))
        data = self._write(operation, "PATCH", where, body)
        return as_memory(read(operation, MemoryReply, data), data)

    def clear_memories(
        self,
        type: Literal["world", "experience", "observation"] | None = None,  # noqa: A002
    ) -> int:
        """Delete all memories, or those of one type; without a type the documents go too.

        Returns how many memories were deleted; the bank stays.
        """
        if type not in (None, "world", "experience", "observation"):
            raise InputError(f"type={type!r} is none of world, experience, observation.")
        where = self._path("memories")
        data = self._write("clear_memories", "DELETE", where, query={"type": type})
        return read("clear_memories", DeletedReply, data).deleted_count or 0

    def update_document(self, key: str, *, tags: Sequence[str]) -> None:
        """Replace the tags of a document, and of what was made from it."""
        where = self._path("documents", document_id(key))
        self._write("updateDocument", "PATCH", where, {"tags": tag_list(tags)})

    def delete_document(self, key: str) -> bool:
        """Delete a document and its memories; tell whether there was one."""
        return self._delete("deleteDocument", self._path("documents", document_id(key)))

    def create_mental_model(
        self,
        name: str,
        source_query: str,
        *,
        id: str | None = None,  # noqa: A002  (the server's name)
        tags: Sequence[str] | None = None,
        max_tokens: int | None = None,
        trigger: Mapping[str, Any] | None = None,
    ) -> str | None:
        """Create a mental model; return the id of the operation that writes its content."""
        body = {
            "id": None if id is None else name_id("mental model", id),
            "name": name,
            "source_query": source_query,
            "tags": tag_list(tags),
            "max_tokens": max_tokens,
            "trigger": None if trigger is None else dict(trigger),
        }
        data = self._write("createMentalModel", "POST", self._path("mental-models"), body)
        return read("createMentalModel", StartedReply, data).operation_id

    def refresh_mental_model(self, key: str) -> str | None:
        """Have a mental model written anew; return the id of the operation."""
        where = self._path("mental-models", name_id("mental model", key), "refresh")
        data = self._write("refreshMentalModel", "POST", where)
        return read("refreshMentalModel", StartedReply, data).operation_id

    def delete_mental_model(self, key: str) -> bool:
        """Delete a mental model; tell whether there was one."""
        where = self._path("mental-models", name_id("mental model", key))
        return self._delete("deleteMentalModel", where)

    def create_directive(self, name: str, content: str, **fields: Any) -> DirectiveReply:
        """Create a rule that reflect keeps to; ``fields`` are priority, is_active, tags."""
        body = {"name": name, "content": content, **fields}
        data = self._write("create_directive", "POST", self._path("directives"), body)
        return read("create_directive", DirectiveReply, data)

    def delete_directive(self, key: str) -> bool:
        """Delete a directive; tell whether there was one."""
        where = self._path("directives", uuid("directive", key))
        return self._delete("delete_directive", where)

    def consolidate(self) -> str | None:
        """Have observations made of what is new; return the id of the operation."""
        data = self._write("consolidate", "POST", self._path("consolidate"))
        return read("consolidate", StartedReply, data).operation_id

    def cancel(self, operation: str) -> None:
        """Cancel an operation. Raises HindsightRefused where it is finished."""
        self._write("cancel", "DELETE", self._path("operations", uuid("operation", operation)))

    def _delete(self, operation: str, where: str) -> bool:
        try:
            self._write(operation, "DELETE", where)
        except HindsightBankNotFound:
            raise
        except HindsightNotFound:
            return False
        return True

    def wait(self, operation: str, *, timeout: float = 300.0) -> OperationReply:
        """Wait until an operation is finished, and return it, however it ended.

        Raises HindsightTimeout where it is not finished after ``timeout`` seconds.
        """
        where = self._path("operations", uuid("operation", operation))
        deadline, pause = time.monotonic() + timeout, _FIRST_WAIT
        while True:
            found = self._get("operation", OperationReply, where)
            if found.status in _FINISHED:
                return found
            if time.monotonic() + pause > deadline:
                raise HindsightTimeout(
                    f"Operation {operation} is {found.status} after {timeout:g} s. Wait longer "
                    "with wait(..., timeout=...), or look at operations().",
                    details=found.error_message,
                )
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_WAIT)


def _text(value: datetime | str) -> str:
    return value.isoformat() if isinstance(value, datetime) else value
