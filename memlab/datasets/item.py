"""One thing that may be remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..errors import InputError

__all__ = ["Item"]


@dataclass(frozen=True, slots=True)
class Item:
    """A text with the key that labels name it by.

    ``key`` is unique within its ``bank`` (a chat, a talk, a question's
    haystack). ``session`` names the session that it was said in, ``role`` who
    said it; ``time`` is as exact as the set is. What else is known stands in
    ``metadata``.
    """

    key: str
    text: str
    bank: str = ""
    time: datetime | None = None
    role: str = ""
    session: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse an item that no label could name."""
        # The fields come from files: their types are not to be trusted.
        key: object = self.key
        text: object = self.text
        if not isinstance(key, str) or not key or not isinstance(text, str):
            raise InputError(f"An item needs a key and a text: {key!r}, {text!r:.60}.")

    def record(self) -> dict[str, Any]:
        """Return the item as one line of an items file holds it; empty fields are left out."""
        when = self.time.isoformat() if self.time else ""
        row: dict[str, Any] = {"key": self.key, "text": self.text, "bank": self.bank, "time": when}
        row |= {"role": self.role, "session": self.session, "metadata": dict(self.metadata)}
        return {name: value for name, value in row.items() if value or name in ("key", "text")}
