"""Readable ids for the summaries that the engine names at random.

Only the names change. Facts get the id that the engine would have given them
under the new name, so that nothing else about the rows is ours.
"""

from __future__ import annotations

import hashlib
from typing import Any

from .asking import Bank, Call

# Every column that holds the id of a summary.
_COPIES = (
    "UPDATE memoria_facts SET source_memory_id = ?1 WHERE source_memory_id = ?2",
    "UPDATE memoria_timelines SET source_memory_id = ?1 WHERE source_memory_id = ?2",
    "UPDATE memoria_instructions SET source_memory_id = ?1 WHERE source_memory_id = ?2",
    "UPDATE memoria_preferences SET source_memory_id = ?1 WHERE source_memory_id = ?2",
    "UPDATE memoria_kg SET source_memory_id = ?1 WHERE source_memory_id = ?2",
    "UPDATE triples SET source = ?1 WHERE source = ?2",
    "UPDATE annotations SET memory_id = ?1 WHERE memory_id = ?2",
    "UPDATE gists SET id = 'gist_' || ?1, memory_id = ?1 WHERE memory_id = ?2",
    "UPDATE graph_edges SET source = ?1 WHERE source = ?2",
    "UPDATE graph_edges SET target = ?1 WHERE target = ?2",
    "UPDATE graph_edges SET source = 'gist_' || ?1 WHERE source = 'gist_' || ?2",
    "UPDATE graph_edges SET target = 'gist_' || ?1 WHERE target = 'gist_' || ?2",
)


def name_summaries(call: Call, bank: Bank, now: str) -> None:
    """Give every new summary of a bank its place in the bank as id: dis-s01, dis-s02, ..."""
    rows = bank.sql(
        call,
        now,
        "SELECT rowid AS place, id FROM episodic_memory WHERE id NOT LIKE ? ORDER BY rowid",
        f"{bank.prefix}-s%",
    )
    for row in rows:
        _rename(call, bank, now, old=row["id"], new=f"{bank.prefix}-s{row['place']:02d}")


def _rename(call: Call, bank: Bank, now: str, *, old: str, new: str) -> None:
    bank.sql(call, now, "UPDATE episodic_memory SET id = ? WHERE id = ?", new, old)
    for statement in _COPIES:
        bank.sql(call, now, statement, new, old)
    for fact in bank.sql(call, now, "SELECT * FROM facts WHERE source_msg_id = ?", old):
        name = _fact_id(fact, old, new)
        for column in ("source", "target"):
            edge = f"UPDATE graph_edges SET {column} = ? WHERE {column} = ?"
            bank.sql(call, now, edge, name, fact["fact_id"])
        bank.sql(
            call,
            now,
            "UPDATE facts SET fact_id = ?, source_msg_id = ? WHERE fact_id = ?",
            name,
            new,
            fact["fact_id"],
        )


def _fact_id(fact: dict[str, Any], old: str, new: str) -> str:
    """The engine's two kinds of fact id: from the memory's id, or a hash over all of the fact."""
    if fact["fact_id"].startswith(f"fact_{old}_"):
        return str(fact["fact_id"]).replace(old, new, 1)
    parts = (fact["session_id"], fact["predicate"], fact["subject"], fact["object"], new)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
