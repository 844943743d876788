"""What an earlier call of the same recall has counted, as a later call sees it.

The engine counts every hit in the bank's file (``recall_count``,
``last_recalled``). The agent asks the shared bank twice, so the second answer
shows the counts of the first. memlab writes nothing: it remembers the counts
here and puts them into the later records.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...models import Hit
from ...text.javascript import number
from ..result import MnemopiRecall
from ..snapshot import Snapshot

__all__ = ["Counts"]

_TABLES = {"working": "working_memory", "episodic": "episodic_memory"}


class Counts:
    """The counts of one scoped recall, by file: two names of a bank may mean one file."""

    def __init__(self) -> None:
        self._counted: Counter[tuple[Path, str, str]] = Counter()

    def seen(self, path: Path, snapshot: Snapshot, recall: MnemopiRecall) -> MnemopiRecall:
        """Return a recall as it would be after the counts so far, and count its own hits."""
        hits = tuple(self._updated(path, snapshot, hit, recall.now) for hit in recall.hits)
        self._counted.update((path, hit.tier, hit.id) for hit in hits if hit.tier in _TABLES)
        return replace(recall, hits=hits)

    def _updated(self, path: Path, snapshot: Snapshot, hit: Hit, now: str) -> Hit:
        times = self._counted[path, hit.tier, hit.id]
        if not times:
            return hit
        count = _recounted(snapshot, _TABLES[hit.tier], hit.id, times)
        return replace(hit, raw={**hit.raw, "recall_count": count, "last_recalled": now})


def _recounted(snapshot: Snapshot, table: str, key: str, times: int) -> float:
    """Add to the stored count as SQLite does, which takes odd values for 0."""
    rows: list[dict[str, Any]] = snapshot.rows(
        f"SELECT COALESCE(recall_count, 0) + ? AS count FROM {table} WHERE id = ?", (times, key)
    )
    return number(rows[0]["count"], 0.0)
