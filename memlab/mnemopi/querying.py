"""The vector that a query is asked with, and whether it fits those of the bank."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple, get_args

from ..errors import InputError
from .embedding import Embedder, embed_query, model_name
from .options import RecallOptions
from .snapshot import Snapshot
from .vectorset import stored_widths

__all__ = ["Asked", "Mismatch", "check_mismatch", "with_vector"]

Mismatch = Literal["raise", "words", "engine"]
"""What to do where no stored vector is as wide as the query's."""


class Asked(NamedTuple):
    """The options of a recall with the vector in them, and what should be known about it."""

    options: RecallOptions
    notes: tuple[str, ...]


def check_mismatch(mismatch: object) -> None:
    """Raise InputError for what is no :data:`Mismatch`."""
    if mismatch not in get_args(Mismatch):
        raise InputError(
            f"on_width_mismatch={mismatch!r}: it is one of {', '.join(get_args(Mismatch))}."
        )


def with_vector(
    snapshot: Snapshot,
    query: str,
    options: RecallOptions,
    embedder: Embedder | None,
    mismatch: Mismatch,
) -> Asked:
    """Embed a query, unless its vector is given, and check the width.

    Raises InputError where no stored vector has the width of the query's, and
    ``mismatch`` is not "words" (recall by words) or "engine" (pad with zeros,
    as the engine does).
    """
    check_mismatch(mismatch)
    notes: list[str] = []
    asked = options
    if embedder is not None and "query_vector" not in options.model_fields_set:
        asked = options.model_copy(update={"query_vector": embed_query(embedder, query)})
        notes += _other_model(snapshot, embedder)
    widths = stored_widths(snapshot) if asked.query_vector else Counter[int]()
    width = len(asked.query_vector or ())
    if width and not widths:
        notes.append("the bank has no vectors, so the query's vector changed nothing")
    if not widths or width in widths or mismatch == "engine":
        return Asked(asked, tuple(notes))
    stored = " and ".join(f"{known} numbers ({count})" for known, count in widths.most_common(3))
    said = f"The query's vector has {width} numbers, those stored in {snapshot.path} have {stored}"
    if mismatch == "raise":
        raise InputError(
            f"{said}. They come from different models. Embed the query with the model of the "
            "bank (see bank.vectors()), embed the bank anew with build_bank(..., embedder=...), "
            "or recall by words with on_width_mismatch='words'. The engine itself pads the "
            "shorter one with zeros: on_width_mismatch='engine'."
        )
    words = asked.model_copy(update={"query_vector": None})
    return Asked(words, (*notes, f"{said}: this recall went by words alone"))


def _other_model(snapshot: Snapshot, embedder: Embedder) -> list[str]:
    rows = snapshot.rows(
        "SELECT model FROM memory_embeddings GROUP BY model ORDER BY count(*) DESC LIMIT 1"
    )
    name = model_name(embedder)
    if not rows or rows[0]["model"] in (None, name):
        return []
    return [f"the query was embedded by {name}, most memories by {rows[0]['model']}"]
