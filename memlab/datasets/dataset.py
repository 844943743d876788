"""A labelled set: items, cases, and what was wrong in its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError
from ..evaluation.case import METADATA, Case
from ..evaluation.casefile import json_line, write_cases
from ..evaluation.cases import Cases
from ..files import expanded, write_text
from ..frames import Column, to_frame
from .beir_files import write_beir
from .dirt import dirt_frame
from .item import Item

__all__ = ["Dataset"]

BANK_COLUMNS = (
    Column("bank"),
    Column("items", "int"),
    Column("sessions", "int"),
    Column("chars", "int"),
    Column("cases", "int"),
    Column("labelled", "int"),
    Column("null", "int"),
    Column("unlabelled", "int"),
)


@dataclass(frozen=True)
class Dataset:
    """Items to remember, and cases that ask for them.

    Each case names the bank that answers it; :meth:`banks` gives the items of
    each bank. ``dirt`` lists what was wrong in the files and what was done
    about it: nothing is dropped in silence.
    """

    name: str
    items: tuple[Item, ...] = field(repr=False)
    cases: Cases
    dirt_rows: tuple[tuple[str, int, str, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        """Refuse two items of one bank under one key."""
        counts = Counter((item.bank, item.key) for item in self.items)
        twice = [place for place, n in counts.items() if n > 1]
        if twice:
            bank, key = twice[0]
            raise InputError(
                f"{len(twice)} keys occur more than once in their bank, such as {key!r} in "
                f"{bank!r}. A key names one item."
            )

    @property
    def dirt(self) -> pd.DataFrame:
        """Return what was wrong in the files: problem, count, done, example."""
        return dirt_frame(self.dirt_rows)

    @property
    def asked_at(self) -> datetime | None:
        """Return when the cases are asked: a day after the newest item; None without times."""
        times = [item.time for item in self.items if item.time]
        return max(times) + timedelta(days=1) if times else None

    def banks(self) -> Mapping[str, tuple[Item, ...]]:
        """Return the items of each bank."""
        found: dict[str, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.bank, []).append(item)
        return {bank: tuple(items) for bank, items in found.items()}

    def frame(self) -> pd.DataFrame:
        """Return one row per bank: items, sessions, chars, cases, labelled, null, unlabelled."""
        kinds = Counter((case.bank, case.kind) for case in self.cases)
        rows = []
        for bank, items in self.banks().items():
            row: dict[str, Any] = {"bank": bank, "items": len(items)}
            row["sessions"] = len({item.session for item in items if item.session})
            row["chars"] = sum(len(item.text) for item in items)
            row |= {kind: kinds[bank, kind] for kind in ("labelled", "null", "unlabelled")}
            rows.append(row | {"cases": sum(n for (b, _), n in kinds.items() if b == bank)})
        return to_frame(rows, BANK_COLUMNS)

    def select(self, banks: Iterable[str] | int) -> Dataset:
        """Return the set with some of its banks: by name, or the first so many."""
        known = list(self.banks())
        wanted = known[:banks] if isinstance(banks, int) else list(banks)
        strange = [bank for bank in wanted if bank not in known]
        if strange:
            raise InputError(f"There is no bank {strange[0]!r}. There are: {', '.join(known)}.")
        items = tuple(item for item in self.items if item.bank in wanted)
        return replace(self, items=items, cases=self.cases.filter(bank=wanted))

    def by_session(self) -> Dataset:
        """Return the set with labels on whole sessions instead of single items.

        A session has the best grade of its items. A hit then counts for the
        session that its item was said in, which its metadata name.
        """
        sessions = {(item.bank, item.key): item.session for item in self.items}
        cases = Cases(_session_case(case, sessions) for case in self.cases)
        items = tuple(
            replace(item, metadata={**item.metadata, "session": item.session})
            for item in self.items
        )
        return replace(self, items=items, cases=cases)

    def keyed(self, keys: str) -> Dataset:
        """Return the set with another kind of keys: ``document`` or ``source`` for a server.

        See :class:`Case` for the kinds. Cases about sessions keep theirs.
        """
        cases = (
            case if case.keys.startswith(METADATA) else replace(case, keys=keys)
            for case in self.cases
        )
        return replace(self, cases=Cases(cases))

    def save(self, folder: str | Path) -> Path:
        """Write ``items.jsonl`` and ``cases.jsonl`` into a folder; return the folder."""
        folder = expanded(folder)
        lines = (json_line(item.record()) for item in self.items)
        write_text(folder / "items.jsonl", "".join(lines))
        write_cases(folder / "cases.jsonl", self.cases)
        return folder

    def to_beir(self, folder: str | Path, *, split: str = "test") -> Path:
        """Write a set of one bank as BEIR has them: corpus, queries, qrels; return the folder.

        Only labelled cases: BEIR has no word for the others. Raises InputError
        for several banks (see :meth:`select`) and for keys that are no ids.
        """
        return write_beir(self, expanded(folder), split)

    def __iter__(self) -> Iterator[Item]:
        """Iterate over the items."""
        return iter(self.items)

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.items)

    def __repr__(self) -> str:
        """Show the sizes, and whether anything was wrong."""
        wrong = sum(row[1] for row in self.dirt_rows)
        noted = f"; {wrong} oddities in the files, see .dirt" if wrong else ""
        return (
            f"{self.name}: {len(self.items)} items in {len(self.banks())} banks, "
            f"{self.cases!r}{noted}"
        )


def _session_case(case: Case, sessions: Mapping[tuple[str, str], str]) -> Case:
    if case.relevant is None:
        return replace(case, level="session", keys="metadata.session")
    grades: dict[str, int] = {}
    for key, grade in case.relevant.items():
        session = sessions.get((case.bank, key)) or key
        grades[session] = max(grade, grades.get(session, 0))
    return replace(case, relevant=grades, level="session", keys="metadata.session")
