"""How the options of Mnemopi are arranged: of one bank, and of a scope of banks."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field, create_model

from ..mnemopi import Mnemopi, MnemopiScope, RecallOptions
from .sheet import MORE, Sheet, sheet_of

__all__ = ["PARTS"]

FIRST = ("limit", "mode", "now", "mmr_lambda", "include_facts")
CONSTANTS = "the engine's constants"
FIRST_CONSTANT = "vec_weight"
PARTS = {
    "keyword": "how well the text answers the query's words, 0 to 1",
    "full_text": "place among the full-text matches: the best 1, the worst 0",
    "vector": "cosine of the two vectors; 0 without vectors",
    "importance": "as it is stored",
    "recency": "falls with age: 1 now, 0.37 after recency_hours",
    "temporal": "nearness to the time that the query speaks of; 0 if it speaks of none",
}


def _groups(more: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    names = [name for name in RecallOptions.model_fields if name not in FIRST]
    border = names.index(FIRST_CONSTANT)
    return {MORE: (*more, *names[:border]), CONSTANTS: tuple(names[border:])}


@sheet_of.register
def _bank(backend: Mnemopi) -> Sheet:
    return Sheet(backend.name, RecallOptions, FIRST, _groups(), PARTS)


@sheet_of.register
def _scope(backend: MnemopiScope) -> Sheet:
    limit = backend.settings.mnemopi.recall_limit
    model = create_model(
        "ScopeOptions",
        __base__=RecallOptions,
        limit=(float, Field(limit, description=RecallOptions.model_fields["limit"].description)),
        fallback=(bool, Field(True, description="ask the shared bank once more, more broadly")),
        fallback_vector=(
            tuple[float, ...] | None,
            Field(None, description="the embedding of the fallback query"),
        ),
    )
    return Sheet(backend.name, model, (*FIRST, "fallback"), _groups(["fallback_vector"]), PARTS)
