"""What a control is made of: texts with keys, from whatever holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from ...errors import InputError
from ...models import Memories, Memory

__all__ = ["Document", "Source", "documents_of"]

HIDDEN = ("expired", "superseded")


class Document(NamedTuple):
    """A text and its key."""

    key: str
    text: str
    time: datetime | None = None
    tier: str = "document"
    state: str = "live"
    source: str | None = None
    metadata: Mapping[str, Any] | None = None

    def memory(self) -> Memory:
        """Return the document as a stored memory."""
        return Memory(
            self.key,
            self.text,
            self.tier,
            self.state,
            time=self.time,
            source=self.source,
            metadata=self.metadata,
            chars=len(self.text.encode("utf-16-le", "surrogatepass")) // 2,
        )


Source: TypeAlias = Any
"""A backend, memories, a mapping of keys to texts, or items with ``key`` and ``text``."""


def documents_of(source: Source) -> tuple[Document, ...]:
    """Return the documents of a backend, of memories, of a mapping or of items.

    Memories that are expired or superseded are left out, since no backend
    recalls them. Raises InputError for anything else, and for repeated keys.
    """
    if isinstance(source, Mapping):
        found = [Document(str(key), _text(text)) for key, text in source.items()]
    elif callable(getattr(source, "memories", None)):
        found = _all(source.memories())
    elif isinstance(source, Iterable) and not isinstance(source, str | bytes):
        found = _all(source)
    else:
        raise InputError(
            f"{source!r:.80} holds no texts. Give a bank, its memories, a mapping of keys to "
            "texts, or items with key and text."
        )
    twice = [key for key, n in Counter(one.key for one in found).items() if n > 1]
    if twice:
        raise InputError(
            f"{len(twice)} keys occur more than once, such as {twice[0]!r}. A key names one text. "
            "Of a data set take one bank at a time: on_each(dataset, Bm25), of memlab.datasets."
        )
    return tuple(found)


def memories_of(documents: Iterable[Document]) -> Memories:
    """Return documents as stored memories."""
    return Memories([document.memory() for document in documents])


def _all(items: Iterable[object]) -> list[Document]:
    made = (_document(item) for item in items)
    return [document for document in made if document.state not in HIDDEN]


def _document(item: object) -> Document:
    if isinstance(item, Document):
        return item
    if isinstance(item, Memory):
        return Document(
            item.id, item.text, item.time, item.tier, item.state, item.source, item.metadata
        )
    key, text = getattr(item, "key", None), getattr(item, "text", None)
    if not isinstance(key, str) or not isinstance(text, str):
        raise InputError(f"{item!r:.80} has no key and text.")
    time = getattr(item, "time", None)
    metadata = getattr(item, "metadata", None)
    return Document(
        key,
        text,
        time if isinstance(time, datetime) else None,
        metadata=metadata if isinstance(metadata, Mapping) else None,
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"A document is text, not {type(value).__name__}: {value!r:.80}.")
    return value
