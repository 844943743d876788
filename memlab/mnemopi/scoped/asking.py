"""One question to all banks of a scope, and their answers made one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...errors import AllBanksFailed, InputError, InvalidTime, MemlabError
from ...models import Outcome, Scope
from ..bank import Mnemopi
from ..embedding import Embedder
from ..querying import Mismatch
from ..result import MnemopiRecall
from .counters import Counts
from .merge import in_order, merged, uncertain_ties
from .opening import OpenBanks
from .recall import ScopedHit, ScopedRecall, Way, scoped_hit

__all__ = ["Asking", "Part", "ask_banks", "joined"]

_FAULTS = (MemlabError, sqlite3.Error, OSError)
_ABSENT = "bank {} does not exist yet and counts as empty: {}"
_WORDS_ONLY = "the fallback query was asked by words alone; give its embedding as fallback_vector"
_TIES = (
    "{} ties between texts outside ASCII were decided without PyICU, perhaps otherwise than the "
    "agent decides them; pip install 'memlab[icu]'"
)


@dataclass(frozen=True)
class Asking:
    """What the banks are asked: the query, the fallback query, and the options of each recall.

    ``own`` is the vector of the fallback query as an option; without one, and
    without that of the query, ``embedder`` makes them.
    """

    query: str
    options: Mapping[str, Any]
    own: Mapping[str, Any] = field(default_factory=dict)
    embedder: Embedder | None = None
    mismatch: Mismatch = "raise"
    fallback: str | None = None

    def calls(self, is_shared: bool) -> Iterator[tuple[Way, str, Mapping[str, Any]]]:
        """Give the recalls of one bank in order: way, query, options."""
        how = {"embedder": self.embedder, "on_width_mismatch": self.mismatch}
        yield "query", self.query, {**self.options, **how}
        if is_shared and self.fallback is not None:
            kept = {name: self.options[name] for name in self.options if name != "query_vector"}
            yield "fallback", self.fallback, {**kept, **self.own, **how}

    @property
    def has_bare_fallback(self) -> bool:
        """Tell whether the query has a vector, and the fallback query none."""
        bare = "query_vector" in self.own and not self.own["query_vector"]
        return bool(self.fallback and self.options.get("query_vector") and bare)


@dataclass(frozen=True)
class Part:
    """The answer of one bank to one of the queries."""

    bank: str
    way: Way
    recall: MnemopiRecall

    @property
    def hits(self) -> list[ScopedHit]:
        """Return the hits, each with its bank and way."""
        return [scoped_hit(hit, self.bank, self.way) for hit in self.recall.hits]


@dataclass
class _Round:
    """What has come in so far."""

    parts: list[Part] = field(default_factory=list)
    failures: dict[str, Exception] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    counts: Counts = field(default_factory=Counts)

    def ask(self, name: str, bank: Mnemopi, path: Path, asking: Asking, is_shared: bool) -> None:
        """Ask one bank; what it gave before a failure stays."""
        try:
            for way, query, options in asking.calls(is_shared):
                recall = bank.recall(query, **options)
                recall = self.counts.seen(path, bank.snapshot, recall)
                self.parts.append(Part(name, way, recall))
                self.answered.add(name)
        except InvalidTime:
            raise  # the question is at fault, whatever the bank
        except InputError as error:
            raise InputError(f"Bank {name}: {error}") from error
        except _FAULTS as error:
            self.failures[name] = error


def ask_banks(scope: Scope, banks: OpenBanks, asking: Asking) -> ScopedRecall:
    """Ask every bank in turn and merge; raise where none answers.

    Backend, options and seconds are left for the caller to fill in.
    """
    state = _Round()
    for name in scope.banks:
        if name in banks.failed:
            state.failures[name] = banks.failed[name]
        elif name in banks.absent:
            state.answered.add(name)
        else:
            bank = banks.opened[name]
            state.ask(name, bank, bank.path, asking, name == scope.shared)
    if state.failures and not state.answered:
        raise _all_failed(state.failures)
    recall = joined(scope, asking, state.parts, state.failures)
    absent = tuple(_ABSENT.format(name, path) for name, path in banks.absent.items())
    return replace(recall, notes=(*absent, *recall.notes))


def joined(
    scope: Scope, asking: Asking, parts: Sequence[Part], failures: Mapping[str, Exception]
) -> ScopedRecall:
    """Make one answer of the answers of the banks."""
    ordered = in_order(merged(hit for part in parts for hit in part.hits))
    pool = tuple(replace(hit, rank=rank) for rank, hit in enumerate(ordered, start=1))
    hits = pool[: asking.options["limit"]]
    notes = list(_notes_of(parts))
    if ties := uncertain_ties(pool):
        notes.append(_TIES.format(ties))
    if asking.has_bare_fallback:
        notes.append(_WORDS_ONLY)
    return ScopedRecall(
        query=asking.query,
        hits=hits,
        outcome=_outcome(hits, failures),
        backend="",
        now=asking.options["now"],
        scope=scope,
        fallback=asking.fallback,
        parts=tuple((part.bank, part.recall) for part in parts),
        pool=pool,
        failures=dict(failures),
        notes=tuple(notes),
    )


def _notes_of(parts: Iterable[Part]) -> Iterable[str]:
    """Return the notes of the single recalls with their banks, each once."""
    return dict.fromkeys(
        f"bank {part.bank}: {note}" for part in parts for note in part.recall.notes
    )


def _outcome(hits: Sequence[ScopedHit], failures: Mapping[str, Exception]) -> Outcome:
    """Return how it ended: without a hit, a failure is not taken for "no memories"."""
    if hits:
        return Outcome.OK
    for error in failures.values():
        return Outcome(error.outcome) if isinstance(error, MemlabError) else Outcome.ERROR
    return Outcome.EMPTY


def _all_failed(failures: Mapping[str, Exception]) -> Exception:
    if len(failures) == 1:
        return next(iter(failures.values()))
    return AllBanksFailed(failures)
