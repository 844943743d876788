"""A larger cap must not lose a memory: where it does, which, and why."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from ...errors import InputError, MemlabError
from ...frames import Column, to_frame
from ..case import Case
from ..digest import digest
from ..losing import ids_of, lost_at
from ..rows import first_ranks
from ..targets import make_target

if TYPE_CHECKING:
    from .result import Sweep

__all__ = ["Loss", "losses"]


class Loss(NamedTuple):
    """A memory found with the smaller value and not with the larger one."""

    case: Case
    key: str
    smaller: int
    larger: int
    rank: int


def losses(sweep: Sweep, option: str, *, why: bool) -> pd.DataFrame:
    """Return one row per loss between neighbouring values of an option."""
    others = [name for name in sweep.varied if name != option]
    rows = []
    for loss in _losses(sweep, option):
        answer = sweep.runs[loss.larger].answers[loss.case.id]
        row: dict[str, Any] = {name: sweep.settings[loss.larger].get(name) for name in others}
        row |= {"case": loss.case.id, "key": loss.key, "rank": loss.rank}
        row |= {"smaller": sweep.settings[loss.smaller][option]}
        row |= {"larger": sweep.settings[loss.larger][option]}
        row |= {"outcome": answer.outcome.value, "cut": answer.cut}
        rows.append(row | {"why": _why(sweep, loss) if why else ""})
    columns = [
        Column("case"), Column("key"), *(Column(name, "object") for name in others),
        Column("smaller", "object"), Column("rank", "int"), Column("larger", "object"),
        Column("outcome"), Column("cut", "int"), Column("why"),
    ]  # fmt: skip
    return to_frame(rows, columns)


def _losses(sweep: Sweep, option: str) -> Iterator[Loss]:
    for smaller, larger in _neighbours(sweep, option):
        less, more = sweep.runs[smaller], sweep.runs[larger]
        for case in less.cases:
            one, other = less.answers.get(case.id), more.answers.get(case.id)
            if one is None or other is None or not one.outcome.answered:
                continue
            ranks = first_ranks(one.keys)
            gone = [key for key in case.wanted if key in ranks and key not in other.keys]
            yield from (Loss(case, key, smaller, larger, ranks[key]) for key in gone)


def _neighbours(sweep: Sweep, option: str) -> Iterator[tuple[int, int]]:
    """Yield pairs of settings that differ in one option alone, the next larger value second."""
    groups: dict[str, list[int]] = {}
    for number, setting in enumerate(sweep.settings):
        rest = {name: value for name, value in setting.items() if name != option}
        groups.setdefault(digest(rest), []).append(number)
    for numbers in groups.values():
        ordered = sorted(numbers, key=lambda number: _size(sweep, number, option))
        yield from pairwise(ordered)


def _size(sweep: Sweep, number: int, option: str) -> float:
    value = sweep.settings[number].get(option)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{option}={value!r} has no size, so there is no larger one.")
    # No limit is the largest of all.
    unlimited = value == 0 and option in ("token_limit", "max_chars", "preview_chars")
    return float("inf") if unlimited else float(value)


def _why(sweep: Sweep, loss: Loss) -> str:
    """Ask again with the larger value, and let the answer explain itself."""
    subject = sweep.subjects.get(loss.case.id)
    if subject is None:
        return ""
    target = make_target(subject, sweep.settings[loss.larger])
    try:
        reply = target.ask(loss.case)
        found = [lost_at(reply, name) for name in ids_of(target, loss.case, loss.key)]
        return "; ".join(sentence for _, sentence in found if sentence)
    except MemlabError as error:
        return f"{type(error).__name__}: {error}"
