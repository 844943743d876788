"""Texts into vectors, by any embedder, as the engine would hand them to its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import InputError
from ..text.javascript import cut, length, trim

__all__ = ["EMBED_LIMIT", "Embedder", "clip_middle", "embed_passages", "embed_query", "model_name"]

Embedder = Callable[[list[str]], Any]
"""Anything that turns a list of texts into as many vectors: rows of an array, or lists."""

EMBED_LIMIT = 8192
"""The engine embeds at most so many UTF-16 units of a text: its beginning and its end."""
_GAP = "\n\n[...]\n\n"


def clip_middle(text: str, limit: int = EMBED_LIMIT) -> str:
    """Keep the two ends of a text that is too long to be embedded."""
    if length(text) <= limit:
        return text
    room = limit - len(_GAP)
    return cut(text, 0, room // 2) + _GAP + cut(text, length(text) - (room - room // 2))


def model_name(embedder: Embedder) -> str:
    """Return the name that vectors of an embedder are stored under."""
    found = getattr(embedder, "model", None)
    return (
        found
        if isinstance(found, str) and found
        else getattr(embedder, "__name__", type(embedder).__name__)
    )


def _embed(embedder: Embedder, texts: list[str]) -> list[tuple[float, ...]]:
    """Ask an embedder and check what it gives; vectors are of single precision, as the engine's."""
    if not callable(embedder):
        raise InputError(
            f"embedder={embedder!a:.80} is none: it is called with a list of texts and gives one "
            "vector per text."
        )
    given = embedder(texts)
    try:
        matrix = np.asarray(given, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"The embedder {model_name(embedder)} did not give vectors of one width: {error}."
        ) from error
    if matrix.ndim != 2 or len(matrix) != len(texts) or matrix.shape[1] == 0:
        raise InputError(
            f"The embedder {model_name(embedder)} gave an array of shape {matrix.shape} for "
            f"{len(texts)} texts; it must give one vector per text: ({len(texts)}, width)."
        )
    if not np.isfinite(matrix).all():
        raise InputError(f"The embedder {model_name(embedder)} gave numbers that are not finite.")
    return [tuple(float(value) for value in row) for row in matrix]


def embed_passages(embedder: Embedder, texts: Sequence[str]) -> list[tuple[float, ...] | None]:
    """Return one vector per text; a blank text has none, as in the engine. Raises InputError."""
    asked = [place for place, text in enumerate(texts) if trim(text)]
    vectors: list[tuple[float, ...] | None] = [None] * len(texts)
    if asked:
        made = _embed(embedder, [clip_middle(texts[place]) for place in asked])
        for place, vector in zip(asked, made, strict=True):
            vectors[place] = vector
    return vectors


def embed_query(embedder: Embedder, query: str) -> tuple[float, ...] | None:
    """Return the vector of a query; an empty query has none. Raises InputError."""
    return _embed(embedder, [clip_middle(query)])[0] if query else None
