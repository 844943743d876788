"""How the options of Hindsight are arranged."""

from __future__ import annotations

from ..hindsight import Hindsight, HindsightOptions
from .sheet import MORE, Sheet, sheet_of

__all__ = ["PARTS"]

FIRST = ("budget", "max_tokens", "types", "tags", "tags_match", "query_timestamp")
PARTS = {
    "reranker": "the judgement of the reranking model; missing where the server has none",
    "semantic": "cosine of the two vectors; missing where that search did not find it",
    "keyword": "full-text score; missing where that search did not find it",
}


@sheet_of.register
def _server(backend: Hindsight) -> Sheet:
    more = tuple(name for name in HindsightOptions.model_fields if name not in FIRST)
    return Sheet(backend.name, HindsightOptions, FIRST, {MORE: more}, PARTS)
