"""The vectors of a scoped recall: every text is embedded once, whatever the number of banks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import InputError
from ..embedding import Embedder, embed_query, model_name
from ..options import RecallOptions

__all__ = ["Once", "fallback_choice"]


class Once:
    """An embedder that asks another one only once for each text, and checks what it gives."""

    def __init__(self, embedder: Embedder) -> None:
        self.model = model_name(embedder)
        self._embedder = embedder
        self._known: dict[str, tuple[float, ...] | None] = {}

    def __call__(self, texts: list[str]) -> list[tuple[float, ...] | None]:
        """Return one vector per text."""
        for text in texts:
            if text not in self._known:
                self._known[text] = embed_query(self._embedder, text)
        return [self._known[text] for text in texts]


def fallback_choice(
    options: Mapping[str, Any], vector: Sequence[float] | None, embedder: Embedder | None
) -> dict[str, Any]:
    """Return the ``query_vector`` that the fallback query is asked with; empty: it is embedded.

    That of the query does not fit it. Where the query goes by words alone, it
    does, too. Raises InputError for a ``vector`` that is none.
    """
    if vector is not None:
        try:
            return {"query_vector": RecallOptions.of({"query_vector": vector}).query_vector}
        except InputError as error:
            raise InputError(f"fallback_vector is no vector. {error}") from error
    if "query_vector" not in options:
        return {}
    embeds = options["query_vector"] is not None and embedder is not None
    return {} if embeds else {"query_vector": None}
