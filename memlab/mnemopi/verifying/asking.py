"""The same questions to memlab and to the real engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from ...backends.query import query_text
from ...errors import EngineFailed, InputError, RecallError
from ...text.dates import iso_millis
from ..bank import Mnemopi
from ..engine import Engine
from ..options import RecallOptions
from ..pipeline import prepare, run_recall
from ..real import RealEngine
from .agreement import Agreement, Difference, differences
from .queries import own_queries

__all__ = ["verify"]

Progress = Callable[[Iterable[str]], Iterable[str]]
Hits = list[Mapping[str, Any]]


@dataclass(frozen=True)
class _Both:
    """Both sides of one bank."""

    bank: Mnemopi
    real: RealEngine
    options: RecallOptions

    def ours(self, query: str) -> Hits | str:
        """Return memlab's hits, or its error."""
        try:
            run = run_recall(self.bank.snapshot, prepare(query, self.options, self.bank.bank))
        except (InputError, RecallError) as error:
            return str(error)
        return [record.fields for record in run.final]

    def theirs(self, query: str) -> Hits | str:
        """Return the engine's hits, or its error."""
        try:
            records = self.real.recall(query, self.options, self.options.now or "")
        except EngineFailed as error:
            return str(error)
        return [record.fields for record in records]

    def compare(self, query: str) -> tuple[int, list[Difference]]:
        """Ask both; return how many hits the engine gave, and the differences."""
        ours, theirs = self.ours(query), self.theirs(query)
        if isinstance(ours, str) or isinstance(theirs, str):
            if isinstance(ours, str) and isinstance(theirs, str):
                return 0, []  # both refuse
            return 0, [Difference(query, None, "error", _said(ours), _said(theirs))]
        # As it travels: what is no JSON becomes what JSON makes of it.
        return len(theirs), list(differences(query, json.loads(json.dumps(ours)), theirs))


def _said(answer: Hits | str) -> str:
    return answer if isinstance(answer, str) else f"{len(answer)} hits"


def _texts(bank: Mnemopi, queries: Iterable[str] | int, seed: int) -> list[str]:
    if isinstance(queries, int):
        return own_queries(bank.memories(), queries, seed)
    if isinstance(queries, pd.DataFrame):
        raise InputError("Give the queries as a list, not as a frame: list(frame['query']).")
    return [query_text(one) for one in ([queries] if isinstance(queries, str) else queries)]


def verify(
    bank: Mnemopi,
    queries: Iterable[str] | int = 200,
    *,
    seed: int = 0,
    engine: Engine | None = None,
    progress: Progress = iter,
    **options: Any,
) -> Agreement:
    """Ask memlab's recall and the real engine's the same; compare every field of every hit.

    ``queries`` are texts, one text, or how many to make from the bank's own
    words (with ``seed``). ``options`` are those of a recall; both sides get the same clock.
    The engine works on a copy of the bank. ``progress`` may wrap the queries,
    as ``tqdm`` does.

    Raises EngineMissing where the engine is not installed, InputError for what is no query.
    """
    asked = _texts(bank, queries, seed)
    clock = options.get("now") or iso_millis(datetime.now(UTC))
    checked = RecallOptions.of({**options, "now": clock})
    found: list[Difference] = []
    equal = hits = 0
    with (
        Engine.start() if engine is None else nullcontext(engine) as running,
        closing(RealEngine(bank.snapshot, bank.bank, running)) as real,
    ):
        both = _Both(bank, real, checked)
        for query in progress(asked):
            count, parted = both.compare(query)
            hits, equal = hits + count, equal + (not parted)
            found += parted
        versions = running.version()
    return Agreement(bank.name, len(asked), equal, hits, tuple(found), versions)
