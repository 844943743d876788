"""Documents with their facts as the archive that a server imports: any facts, without a model.

A zip file: ``manifest.json``, one ``documents/NNNNNN.json`` per document with
its chunks and facts, and ``observations.json``.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import FormatError, InputError
from .ids import document_id

__all__ = ["make_archive", "read_archive"]

_STAMP = (2000, 1, 1, 0, 0, 0)
_FACT = {"text", "fact_type", "context", "event_date", "occurred_start", "occurred_end",
         "mentioned_at", "metadata", "tags", "chunk_index", "entities", "causal_relations"}  # fmt: skip
_OBSERVATION = {"text", "tags", "occurred_start", "occurred_end", "mentioned_at", "proof_count",
                "sources"}  # fmt: skip


def make_archive(
    documents: Iterable[Mapping[str, Any]], observations: Sequence[Mapping[str, Any]] = ()
) -> bytes:
    """Return an archive of documents and observations; the same input gives the same bytes.

    A document has an ``id``, ``facts``, and perhaps ``text`` and ``tags``. A
    fact has ``text``, ``type`` (world or experience, default world), and
    perhaps context, occurred_start, occurred_end, mentioned_at, metadata (text
    to text), tags (default: the document's) and entities (names). An
    observation has ``text``, and perhaps tags, times, proof_count and
    ``sources``, pairs of document id and number of the fact in it, from 0.

    Raises InputError for what cannot be imported.
    """
    docs = [_document(one) for one in documents]
    obs = [_observation(one) for one in observations]
    manifest = {
        "schema_version": 1,
        "source_bank_id": "memlab",
        "archive_type": "documents",
        "document_count": len(docs),
        "fact_count": sum(len(one["facts"]) for one in docs),
        "observation_count": len(obs),
    }
    files = {"manifest.json": manifest}
    files |= {f"documents/{number:06d}.json": one for number, one in enumerate(docs)}
    if obs:
        files["observations.json"] = obs  # type: ignore[assignment]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name, _STAMP), json.dumps(content))
    return buffer.getvalue()


def _document(given: Mapping[str, Any]) -> dict[str, Any]:
    key = document_id(given.get("id"))
    tags = list(given.get("tags") or ())
    facts = [_fact(one, key, tags) for one in given.get("facts") or ()]
    text = given.get("text") or "\n".join(one["text"] for one in facts)
    chunk = {"chunk_index": 0, "chunk_text": text}
    return {"id": key, "original_text": text, "tags": tags, "chunks": [chunk], "facts": facts}


def _fact(given: Mapping[str, Any], document: str, tags: list[str]) -> dict[str, Any]:
    fact = dict(given)
    fact["fact_type"] = fact.pop("type", fact.get("fact_type", "world"))
    if fact["fact_type"] not in ("world", "experience"):
        raise InputError(
            f"A fact of {document!r} has type={fact['fact_type']!r}; a fact is world or "
            "experience. Observations are given apart."
        )
    _check(fact, _FACT, f"A fact of {document!r}")
    for name, value in (fact.get("metadata") or {}).items():
        if not isinstance(value, str):
            raise InputError(f"A fact of {document!r} has metadata[{name!r}]={value!r}: not text.")
    return {"tags": tags, "chunk_index": 0, **fact}


def _observation(given: Mapping[str, Any]) -> dict[str, Any]:
    _check(given, _OBSERVATION, "An observation")
    sources = [
        {"document_id": document, "fact_index": number}
        for document, number in given.get("sources") or ()
    ]
    count = given.get("proof_count", len(sources) or 1)
    return {
        **given,
        "sources": sources,
        "proof_count": count,
        "tags": list(given.get("tags") or ()),
    }


def _check(given: Mapping[str, Any], known: set[str], what: str) -> None:
    text = given.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{what} needs a text that is not blank; it has {text!r:.80}.")
    if unknown := sorted(set(given) - known):
        raise InputError(
            f"{what} has no {', '.join(unknown)}; it may have {', '.join(sorted(known))}."
        )


def read_archive(data: bytes) -> dict[str, Any]:
    """Return what is in an archive: manifest, documents, observations.

    Raises FormatError for what is none.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = sorted(packed.namelist())
            files = {
                name: json.loads(packed.read(name)) for name in names if name.endswith(".json")
            }
    except (zipfile.BadZipFile, ValueError, KeyError) as error:
        raise FormatError(f"This is no archive of documents: {error}.") from None
    return {
        "manifest": files.get("manifest.json", {}),
        "documents": [one for name, one in files.items() if name.startswith("documents/")],
        "observations": files.get("observations.json", []),
    }
