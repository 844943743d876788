"""Making cases from a bank."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from ...backends import Backend
from ...errors import InputError
from ...models import Memory
from ..case import Case
from ..cases import Cases
from .lexicon import Lexicon
from .makers import MAKERS
from .nulls import strange_query

__all__ = ["KINDS", "self_labelled"]

NULLS = {"null-strange": False, "null-mixed": True}
KINDS = (*MAKERS, *NULLS)
HIDDEN = ("expired", "superseded")


def self_labelled(
    source: Backend | Iterable[Memory],
    kinds: Iterable[str] | None = None,
    *,
    per_kind: int = 20,
    seed: int = 0,
    bank: str | None = None,
) -> Cases:
    """Make labelled cases from the memories of a bank, without anybody's work.

    A query is made from a memory and must find it. Kinds, which become the
    categories: ``rare-tokens`` (its three rarest words), ``dropped-words`` (half
    of a passage), ``endings`` (rare words in another form), ``without-marks``
    (accents left out), ``part-of-run`` (letters from a text without blanks),
    ``tags``, ``length-1`` to ``length-8`` (so many words in a row),
    ``null-strange`` (invented words) and ``null-mixed`` (with a common one).
    Of each kind up to ``per_kind`` cases are made per tier of the bank.

    The memory has grade 2; others that have all words of the query have grade
    1. Expired and superseded memories are not asked for. The same bank, kinds
    and seed give the same cases. Raises InputError for an unknown kind.
    """
    chosen = KINDS if kinds is None else tuple(kinds)
    strange = [kind for kind in chosen if kind not in KINDS]
    if strange:
        raise InputError(f"There is no kind {strange[0]!r}. Kinds: {', '.join(KINDS)}.")
    memories = source.memories() if isinstance(source, Backend) else source
    # An id names one memory, also where two tiers have it: the first.
    first: dict[str, Memory] = {}
    for memory in memories:
        first.setdefault(memory.id, memory)
    shown = tuple(memory for memory in first.values() if memory.state not in HIDDEN)
    lexicon = Lexicon(shown)
    name = bank if bank is not None else str(getattr(source, "bank", ""))
    cases: list[Case] = []
    for kind in chosen:
        if kind in NULLS:
            cases += _null_cases(lexicon, kind, per_kind, seed, name)
        else:
            cases += _cases(lexicon, kind, per_kind, seed, name)
    return Cases(cases)


def _cases(lexicon: Lexicon, kind: str, count: int, seed: int, bank: str) -> Iterator[Case]:
    for tier in sorted({memory.tier for memory in lexicon.memories}):
        order = [memory for memory in lexicon.memories if memory.tier == tier]
        random.Random(f"{seed}/{kind}/{tier}").shuffle(order)
        made = (_case(lexicon, kind, memory, seed, bank) for memory in order)
        found = [case for case in made if case is not None]
        yield from found[:count]


def _case(lexicon: Lexicon, kind: str, memory: Memory, seed: int, bank: str) -> Case | None:
    made = MAKERS[kind](lexicon, memory, random.Random(f"{seed}/{kind}/{memory.id}"))
    if made is None or not made.query.strip():
        return None
    relevant = lexicon.grades(memory, made.words)
    if kind == "part-of-run":  # where words are not parted, it need not be a whole one elsewhere
        relevant = lexicon.parts(memory, made.query)
    if kind == "tags":
        same = {other.id: 1 for other in lexicon.memories if made.query in other.tags}
        relevant = {**same, memory.id: 2}
    name = f"{kind}/{bank}/{memory.id}" if bank else f"{kind}/{memory.id}"
    return Case(name, made.query, relevant, kind, f"made from {memory.id} ({memory.tier})", bank)


def _null_cases(lexicon: Lexicon, kind: str, count: int, seed: int, bank: str) -> Iterator[Case]:
    chance = random.Random(f"{seed}/{kind}")
    for number in range(1, count + 1):
        query = strange_query(lexicon, chance, mixed=NULLS[kind])
        name = f"{kind}/{bank}/{number}" if bank else f"{kind}/{number}"
        yield Case(name, query, {}, kind, "no memory has these words", bank)
