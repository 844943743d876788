"""Checks of arguments that several functions share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InputError

__all__ = ["items_of", "text_given", "texts_of_items", "whole_number"]


def whole_number(name: str, value: object, least: int | None = None) -> int:
    """Return a whole number as it is; raise InputError, naming it, for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name} is a whole number, not {value!r}.")
    if least is not None and value < least:
        raise InputError(f"{name} is at least {least}, not {value}.")
    return value


def text_given(name: str, value: object) -> str:
    """Return a text as it is; raise InputError, naming it, for anything else."""
    if not isinstance(value, str):
        raise InputError(f"{name} is text, not {type(value).__name__}: {value!r:.80}.")
    return value


def items_of(name: str, value: Any) -> list[Any]:
    """Return the items of a list; raise InputError for a single text or mapping, and for no list.

    Python would walk through the letters of a text and the keys of a mapping.
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InputError(f"{name} is a list, not {type(value).__name__}: {value!r:.80}.")
    return list(value)


def texts_of_items(name: str, value: Any) -> list[str]:
    """Return the texts of a list of texts, or of things with a ``text``; else raise InputError."""
    items = items_of(name, value)
    texts = [item if isinstance(item, str) else getattr(item, "text", None) for item in items]
    for item, text in zip(items, texts, strict=True):
        if not isinstance(text, str):
            raise InputError(
                f"{name} is a list of texts, or of things with a text; not {item!r:.80}."
            )
    return [text for text in texts if text is not None]
