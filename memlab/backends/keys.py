"""What a case may call a memory: its id, a field of its metadata, or a hash of its text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

__all__ = ["METADATA", "content_key", "field_named", "metadata_field"]

METADATA = "metadata."
"""What a kind of key begins with that is any field of the metadata."""
_FIELDS = {"source": "source_key", "document": "document_id"}


def content_key(text: str) -> str:
    """Return the key of a text by its content: 16 hexadecimal digits of its SHA-256.

    Blanks at the ends do not count; lone surrogates count as they are.
    """
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()[:16]


def field_named(kind: str) -> str:
    """Return the field of the metadata that holds keys of a kind."""
    return _FIELDS.get(kind) or kind.removeprefix(METADATA)


def metadata_field(values: Mapping[str, Any], name: str) -> str:
    """Return a field of metadata, or of the metadata in them; empty where there is none."""
    value = values.get(name)
    if isinstance(value, str) and value:
        return value
    nested = values.get("metadata")
    return metadata_field(nested, name) if isinstance(nested, Mapping) else ""
