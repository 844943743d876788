"""The real engine as the one that answers: on a copy, with memlab's options in its own words."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ..errors import InputError
from .engine import BankCopy, Engine
from .options import RecallOptions
from .records import Record
from .snapshot import Snapshot
from .writing.copying import copy_snapshot

__all__ = ["RealEngine", "engine_options"]

_OPS = {"enhanced": "beamRecallEnhanced", "plain": "beamRecall", "facts": "factRecall"}
_NAMES = {
    "any_session": "ignoreSessionScope",
    "author_id": "authorId",
    "author_type": "authorType",
    "current_sensitive": "currentSensitive",
    "from_date": "fromDate",
    "fts_weight": "ftsWeight",
    "importance_weight": "importanceWeight",
    "include_facts": "includeFacts",
    "include_working": "includeWorking",
    "intent": "useIntent",
    "memory_type": "memoryType",
    "mmr": "useMmr",
    "mmr_lambda": "mmrLambda",
    "preview_chars": "contentPreviewChars",
    "query_time": "queryTime",
    "query_vector": "queryEmbedding",
    "source": "source",
    "synonyms": "useSynonyms",
    "temporal_halflife": "temporalHalflife",
    "temporal_weight": "temporalWeight",
    "to_date": "toDate",
    "topic": "topic",
    "vec_weight": "vecWeight",
    "veracity": "veracity",
}
_ELSEWHERE = {"limit", "mode", "now", "session", "channel"}


def engine_options(options: RecallOptions, session: str) -> dict[str, Any]:
    """Return options in the engine's own words; what is unset is left out.

    Raises InputError for a constant of the engine that was changed: it has no
    switch for that.
    """
    values = {name: getattr(options, name) for name in RecallOptions.model_fields}
    for name, known in RecallOptions.model_fields.items():
        if name in _NAMES or name in _ELSEWHERE:
            continue
        if values[name] != known.get_default(call_default_factory=True):
            raise InputError(
                f"The real engine has no option for {name}: it is a constant of it. Ask memlab's "
                f"own recall with {name}={values[name]!r}, without engine='omp'."
            )
    channel = session if options.channel is None else options.channel
    asked = {theirs: values[ours] for ours, theirs in _NAMES.items() if values[ours] is not None}
    return {**asked, "channelId": channel} if channel else asked


class RealEngine:
    """A snapshot, as a file that the engine may open; it starts with the first question."""

    def __init__(self, snapshot: Snapshot, bank: str, engine: Engine | None = None) -> None:
        self._bank = bank
        self._given = engine
        self._snapshot = snapshot
        self._running: tuple[Engine, BankCopy] | None = None
        # What is to be given back: the copy, and the engine if it was started here.
        self._held = ExitStack()
        weakref.finalize(self, self._held.close)

    def _opened(self) -> tuple[Engine, BankCopy]:
        if self._running is None:
            engine = self._given or self._held.enter_context(Engine.start())
            with tempfile.TemporaryDirectory(prefix="memlab-") as folder:
                path = copy_snapshot(self._snapshot, Path(folder) / "bank.db")
                copy = self._held.enter_context(BankCopy(engine, path, bank=self._bank))
            self._running = engine, copy
        return self._running

    def recall(self, query: str, options: RecallOptions, now: str) -> list[Record]:
        """Return the engine's records, best first; nothing is written.

        Raises EngineMissing, EngineError or EngineFailed.
        """
        session = self._bank if options.session is None else options.session
        words = {} if options.mode == "facts" else engine_options(options, session)
        engine, copy = self._opened()
        args: dict[str, Any] = {"query": query, "topK": _whole(options.limit)}
        if words:
            args["options"] = words
        found: list[Mapping[str, Any]] = engine.call(
            _OPS[options.mode], db=copy.path, bank=self._bank, session=session, now=now,
            undo=True, **args,
        )  # fmt: skip
        return [Record(dict(fields)) for fields in found]

    def close(self) -> None:
        """Remove the copy, and end the engine if it was started here."""
        self._running = None
        self._held.close()


def _whole(limit: float) -> float:
    return int(limit) if limit == int(limit) else limit
