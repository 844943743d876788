"""The graph voice: capitalised names, the gists and facts about them, and what is near those."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..dates import phrase
from ..schema import tables_of
from ..snapshot import Snapshot
from .stored import strength, written

__all__ = ["graph_voice", "names"]

_NAME = phrase(r"\b[A-Z][a-z]+(?:\s+[A-Z][a-z]+)*\b")
_GIST, _FACT, _NEAR = 0.6, 0.5, 0.4
_HOPS, _WEIGHT = 2, 0.3

Named = tuple[str, float, dict[str, Any]]


def names(query: str) -> list[str]:
    """Return the capitalised words of a query, neighbours together, each once."""
    return list(dict.fromkeys(found[0] for found in _NAME.finditer(query)))


def _about(snapshot: Snapshot, name: str) -> Iterator[Named]:
    """Yield the memories of gists and facts about a name; of any session, as in the engine."""
    gists = snapshot.rows(
        "SELECT id, text FROM gists WHERE CAST(participants_json AS TEXT) LIKE ? ORDER BY timestamp DESC, rowid",
        (f'%"{name}"%',),
    )
    for row in gists:
        key = str(row["id"])
        yield key.removeprefix("gist_"), _GIST, {"entity": name, "gist": row["text"]}
    facts = snapshot.rows(
        "SELECT * FROM facts WHERE subject = ? ORDER BY confidence DESC, timestamp DESC, rowid",
        (name,),
    )
    for row in facts:
        # The last part of fact_ID_NUMBER is the number: such a fact leads nowhere.
        key = str(row["fact_id"]).split("_")[-1]
        confidence = 0.5 if row["confidence"] is None else strength(row["confidence"])
        said = " ".join(written(row[part]) for part in ("subject", "predicate", "object"))
        yield key, confidence * _FACT, {"entity": name, "fact": said}


def _near(snapshot: Snapshot, seed: str) -> Iterator[Named]:
    """Yield what is within two edges of a memory."""
    level, seen = [seed], {seed}
    for hop in range(1, _HOPS + 1):
        found: list[str] = []
        for node in level:
            rows = snapshot.rows(
                "SELECT source, target, edge_type, weight FROM graph_edges WHERE (source = ?1"
                " OR target = ?1) AND edge_type = 'ctx' AND weight >= ?2 ORDER BY weight DESC, id",
                (node, _WEIGHT),
            )
            for row in rows:
                other = row["target"] if row["source"] == node else row["source"]
                if other in seen:
                    continue
                seen.add(other)
                found.append(other)
                about = {"seed": seed, "edge_type": row["edge_type"], "depth": hop}
                yield other, _NEAR / hop, {**about, "weight": row["weight"]}
        level = found


def graph_voice(snapshot: Snapshot, query: str) -> list[Named]:
    """Return what the graph knows about the names in a query; a memory may come more than once."""
    if not {"gists", "graph_edges"} <= tables_of(snapshot.connection):
        return []
    heard = [found for name in names(query) for found in _about(snapshot, name)]
    seeds = dict.fromkeys(key for key, _, _ in heard)
    passed: set[str] = set()
    for seed in seeds:
        for found in _near(snapshot, seed):
            if found[0] not in seeds and found[0] not in passed:
                passed.add(found[0])
                heard.append(found)
    return heard
