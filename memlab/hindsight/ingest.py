"""Fill a bank with the texts of a data set: in batches, resumable, with a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd
from tqdm.auto import tqdm

from ..errors import HindsightBankNotFound, HindsightError, InputError
from ..frames import Column, to_frame
from .ids import document_id, tag_list
from .reading import Reading
from .retaining import Retaining
from .writing import Writing

__all__ = ["IngestReport", "Ingesting"]

_COLUMNS = (
    Column("key"), Column("status", "category"), Column("operation"), Column("error"),
)  # fmt: skip
_PATIENCE = 600.0


@dataclass(frozen=True)
class IngestReport:
    """What became of each item: stored, exists, duplicate or failed."""

    rows: tuple[Mapping[str, Any], ...]

    def frame(self) -> pd.DataFrame:
        """Return one row per item, in the order given: key, status, operation, error."""
        return to_frame(self.rows, _COLUMNS)

    @property
    def counts(self) -> dict[str, int]:
        """Return how many items there are of each status."""
        found: dict[str, int] = {}
        for row in self.rows:
            found[row["status"]] = found.get(row["status"], 0) + 1
        return found

    @property
    def failed(self) -> tuple[str, ...]:
        """Return the keys of what is not in the bank; ingest again to try these."""
        return tuple(row["key"] for row in self.rows if row["status"] == "failed")

    def __repr__(self) -> str:
        """Say it in one line."""
        said = ", ".join(f"{count} {status}" for status, count in self.counts.items())
        return f"IngestReport({said or 'nothing to do'})"


class Ingesting(Reading, Retaining, Writing):
    """Ingest."""

    def ingest(
        self,
        items: Iterable[Any],
        *,
        batch: int = 50,
        tags: Sequence[str] | None = None,
        progress: bool | None = None,
    ) -> IngestReport:
        """Retain items under their keys, and follow each batch to its end.

        An item has ``key`` (or ``id``) and ``text``, and perhaps ``time``,
        ``context``, ``tags``, ``metadata`` and ``entities``: a mapping, a memory
        of another bank, or an item of a data set. Its key becomes its document,
        and stands in its metadata as ``source_key``, so that labelled cases find
        it. Documents that exist are left as they are, and a key that comes twice
        is taken once; the report names both. Run it again after an
        interruption: it goes on with what is missing.

        Raises InputError for what is no item, before anything is sent. What the
        server refuses is in the report.
        """
        self._allow("ingest")
        wanted = [_item(item, tags) for item in items]
        there = self._there()
        report: dict[int, dict[str, Any]] = {}
        fresh: dict[str, int] = {}
        for place, item in enumerate(wanted):
            key = item["document_id"]
            known = "exists" if key in there else "duplicate" if key in fresh else None
            report[place] = {"key": key, "status": known}
            if known is None:
                fresh[key] = place
        places = list(fresh.values())
        bar = tqdm(total=len(places), desc="ingest", disable=not (progress or progress is None))
        with bar:
            for group in _groups(places, batch):
                outcome = self._batch([wanted[place] for place in group])
                for place in group:
                    report[place] |= outcome
                bar.update(len(group))
        return IngestReport(tuple(report[place] for place in range(len(wanted))))

    def _there(self) -> set[str]:
        try:
            return {one.id for one in self.documents(progress=False)}
        except HindsightBankNotFound:
            return set()

    def _batch(self, items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        try:
            reply = self.retain(list(items))
            done = [self.wait(key, timeout=_PATIENCE) for key in reply.operations]
        except HindsightError as error:
            return {"status": "failed", "error": str(error)}
        bad = [one for one in done if one.status != "completed"]
        name = ", ".join(reply.operations) or None
        if bad:
            reason = bad[0].error_message or f"the operation is {bad[0].status}"
            return {"status": "failed", "operation": name, "error": reason}
        return {"status": "stored", "operation": name}


def _groups(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    if size < 1:
        raise InputError(f"batch={size!r}: a batch has at least one item.")
    for start in range(0, len(places), size):
        yield places[start : start + size]


def _item(item: Any, tags: Sequence[str] | None) -> dict[str, Any]:
    def field(*names: str) -> Any:
        for name in names:
            found = item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
            if found is not None:
                return found
        return None

    key, text = field("key", "id", "document_id"), field("text", "content")
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"An item needs a text that is not blank; {key!r:.80} has {text!r:.80}.")
    moment = field("time", "timestamp")
    metadata = {str(k): str(v) for k, v in (field("metadata") or {}).items() if v is not None}
    found = {
        "content": text,
        "document_id": document_id(key),
        "timestamp": moment.isoformat() if isinstance(moment, datetime) else moment,
        "context": field("context"),
        "tags": tag_list(field("tags") or tags) or None,
        "metadata": {**metadata, "source_key": key},
        "entities": _entities(field("entities") or ()),
    }
    return {name: value for name, value in found.items() if value is not None}


def _entities(names: Iterable[Any]) -> list[Any] | None:
    return [{"text": one} if isinstance(one, str) else one for one in names] or None
