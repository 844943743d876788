"""What the fallback query does to a recall: what it brings, what it pushes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import pandas as pd

from ...errors import InputError
from ...frames import Column, to_frame
from .backend import MnemopiScope
from .merge import in_order, merged
from .recall import ScopedHit, ScopedRecall, scoped_hit

__all__ = ["FallbackEffect", "FallbackReport", "fallback_report", "without_fallback"]

Scopes: TypeAlias = MnemopiScope | Mapping[str, MnemopiScope] | Callable[[Any], MnemopiScope]

QUERY_COLUMNS = (
    Column("case"),
    Column("query"),
    Column("fallback"),
    Column("changed", "bool"),
    Column("gained", "object"),
    Column("lost", "object"),
    Column("relevant", "int"),
    Column("found", "int"),
    Column("found_without", "int"),
    Column("rank", "int"),
    Column("rank_without", "int"),
)
HIT_COLUMNS = (
    Column("case"),
    Column("id"),
    Column("bank"),
    Column("effect"),
    Column("rank", "int"),
    Column("rank_without", "int"),
    Column("score", "float"),
    Column("relevant", "bool"),
    Column("text"),
)


def without_fallback(recall: ScopedRecall) -> tuple[ScopedHit, ...]:
    """Return the hits that a scoped recall would have had without its fallback query.

    Nothing is asked again: the answers of the single recalls are merged anew.
    """
    hits = [
        scoped_hit(hit, bank, "query")
        for place, (bank, part) in enumerate(recall.parts)
        if not _is_second(recall, place)
        for hit in part.hits
    ]
    left = in_order(merged(hits))[: int(recall.options["limit"])]
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(left, start=1))


def _is_second(recall: ScopedRecall, place: int) -> bool:
    """Tell whether a part is the answer to the fallback query: the bank's second answer."""
    bank = recall.parts[place][0]
    return any(earlier == bank for earlier, _ in recall.parts[:place])


@dataclass(frozen=True)
class FallbackEffect:
    """One query with and without its fallback; ``relevant`` are the labelled ids, if any."""

    case: str
    recall: ScopedRecall
    without: tuple[ScopedHit, ...]
    relevant: Mapping[str, int] = field(default_factory=dict)

    @property
    def gained(self) -> tuple[str, ...]:
        """Return the ids that came back only because of the fallback, best first."""
        before = {hit.id for hit in self.without}
        return tuple(hit.id for hit in self.recall.hits if hit.id not in before)

    @property
    def lost(self) -> tuple[str, ...]:
        """Return the ids that the fallback pushed out, best first."""
        now = set(self.recall.ids)
        return tuple(hit.id for hit in self.without if hit.id not in now)

    @property
    def changed(self) -> bool:
        """Tell whether the fallback changed the hits or their order."""
        return self.recall.ids != tuple(hit.id for hit in self.without)

    def record(self) -> dict[str, Any]:
        """Return one row of the table of queries."""
        ids, before = self.recall.ids, tuple(hit.id for hit in self.without)
        row = {
            "case": self.case,
            "query": self.recall.query,
            "fallback": self.recall.fallback,
            "changed": self.changed,
            "gained": self.gained,
            "lost": self.lost,
        }
        if not self.relevant:
            return row
        return row | {
            "relevant": len(self.relevant),
            "found": len(self.relevant.keys() & set(ids)),
            "found_without": len(self.relevant.keys() & set(before)),
            "rank": self._first(ids),
            "rank_without": self._first(before),
        }

    def _first(self, ids: tuple[str, ...]) -> int | None:
        return next((rank for rank, key in enumerate(ids, 1) if key in self.relevant), None)

    def records(self) -> Iterator[dict[str, Any]]:
        """Give one row per hit, with and without: by rank, then what was pushed out."""
        ranks = {hit.id: rank for rank, hit in enumerate(self.without, 1)}
        now = {hit.id: hit.rank for hit in self.recall.hits}
        lost = (hit for hit in self.without if hit.id not in now)
        for hit in (*self.recall.hits, *lost):
            rank, before = now.get(hit.id), ranks.get(hit.id)
            yield {
                **hit.record(),
                "case": self.case,
                "effect": _effect(rank, before),
                "rank": rank,
                "rank_without": before,
                "relevant": hit.id in self.relevant if self.relevant else None,
            }


def _effect(rank: int | None, before: int | None) -> str:
    if before is None:
        return "only by the fallback"
    if rank is None:
        return "pushed out"
    return "same place" if rank == before else "up" if rank < before else "down"


@dataclass(frozen=True, repr=False)
class FallbackReport:
    """What fallback queries do to a set of recalls."""

    effects: tuple[FallbackEffect, ...]

    def __repr__(self) -> str:
        """Say it in one line."""
        asked = sum(effect.recall.fallback is not None for effect in self.effects)
        changed = [effect for effect in self.effects if effect.changed]
        gained, lost = (
            sum(len(getattr(one, name)) for one in changed) for name in ("gained", "lost")
        )
        return (
            f"FallbackReport: {len(self.effects)} queries, {asked} with a fallback query, "
            f"{len(changed)} changed by it: {gained} hits gained, {lost} lost"
        )

    def frame(self) -> pd.DataFrame:
        """Return one row per query: what the fallback asked, gained, lost, and the labels found.

        Columns: case, query, fallback (missing: none is asked), changed,
        gained and lost (ids), and for labelled cases the number of relevant
        ids, how many of them were found with and without, and the rank of the
        first one with and without.
        """
        return to_frame((effect.record() for effect in self.effects), QUERY_COLUMNS)

    def hits(self) -> pd.DataFrame:
        """Return one row per hit and query, with and without the fallback.

        ``effect`` is "only by the fallback", "pushed out", "up", "down" or
        "same place"; ``rank_without`` is the rank without the fallback.
        """
        rows = (row for effect in self.effects for row in effect.records())
        return to_frame(rows, HIT_COLUMNS)


def fallback_report(backend: Scopes, cases: object, **options: Any) -> FallbackReport:
    """Recall with and without the fallback query, for one query or for a set of cases.

    ``cases`` is a query, or a list of queries or of cases: anything with
    ``query`` and perhaps ``id``, ``relevant`` (ids, or a mapping of ids to
    grades) and ``cwd``, as attributes or as keys. ``backend`` is one scope,
    a mapping from each case's ``cwd`` to its scope, or a function from a case
    to one. ``options`` are those of the recall. Raises what the recall
    raises, and InputError for a case that names no query or no scope, or that
    is labelled by anything but ids.
    """
    if isinstance(cases, pd.DataFrame):
        raise InputError("Give the cases as a list, not as a frame: frame.to_dict('records').")
    listed = [cases] if isinstance(cases, str) or not isinstance(cases, Iterable) else list(cases)
    return FallbackReport(
        tuple(_asked(backend, case, str(place), options) for place, case in enumerate(listed, 1))
    )


def _asked(backend: Scopes, case: object, place: str, options: Mapping[str, Any]) -> FallbackEffect:
    query = case if isinstance(case, str) else _field(case, "query")
    if not isinstance(query, str) or (not query and query is not case):
        raise InputError(f"A case is a query or has one; this one has none: {case!r:.120}.")
    recall = _scope_of(backend, case).recall(query, **options)
    name = place if isinstance(case, str) else str(_field(case, "id") or place)
    return FallbackEffect(name, recall, without_fallback(recall), _labels(case))


def _labels(case: object) -> dict[str, int]:
    relevant = None if isinstance(case, str) else _field(case, "relevant")
    if not relevant:
        return {}
    kind = _field(case, "keys")
    if isinstance(kind, str) and kind != "id":
        raise InputError(f"The case {case!r:.120} is labelled by {kind}; only ids are known here.")
    grades = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1)
    return {key: grade for key, grade in grades.items() if grade > 0}


def _scope_of(backend: Scopes, case: object) -> MnemopiScope:
    if not isinstance(backend, MnemopiScope | Mapping) and callable(backend):
        backend = backend(case)
    if isinstance(backend, MnemopiScope):
        return backend
    if not isinstance(backend, Mapping):
        raise InputError(
            f"Fallback queries are asked over a MnemopiScope; for the case {case!r:.120} there is "
            f"{type(backend).__name__}."
        )
    cwd = None if isinstance(case, str) else _field(case, "cwd")
    if cwd not in backend:
        raise InputError(
            f"No scope for cwd={cwd!r} of the case {case!r:.120}; there are {', '.join(backend)}."
        )
    return backend[str(cwd)]


def _field(case: object, name: str) -> Any:
    found = case.get(name) if isinstance(case, Mapping) else getattr(case, name, None)
    return None if callable(found) else found
