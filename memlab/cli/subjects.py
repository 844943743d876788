"""What the evaluating commands share: which cases, which systems, which options."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..backends import Backend
from ..backends.baselines import Bm25, FullContext, Lsa, Oracle, Random, Recent
from ..datasets import Dataset, build_banks, load_dataset
from ..errors import InputError
from ..evaluation import Cases
from ..evaluation.digest import digest
from ..evaluation.sweeping.store import default_folder
from ..mnemopi import Mnemopi
from ..sample import sample_world
from ..text.dates import iso_millis

__all__ = ["SYSTEMS", "Task", "options_of", "subject_options", "task_of"]

CONTROLS: dict[str, Callable[..., Backend]] = {
    "bm25": Bm25,
    "lsa": Lsa,
    "recent": Recent,
    "random": Random,
    "full_context": FullContext,
}
SYSTEMS = ("mnemopi", *CONTROLS, "oracle")


@dataclass(frozen=True)
class Task:
    """Cases, the banks they are about, and when they are asked; ``dataset`` where they are a set's."""

    cases: Cases
    banks: Mapping[str, Mnemopi]
    now: str | None
    dataset: Dataset | None = None

    def system(self, name: str) -> Mapping[str, Backend]:
        """Return a system over every bank, by its name."""
        if name == "mnemopi":
            return self.banks
        sources = self.dataset.banks() if self.dataset else self._memories()
        if name == "oracle":
            return {
                bank: Oracle(source, self.cases.filter(bank=bank))
                for bank, source in sources.items()
            }
        return {bank: CONTROLS[name](source) for bank, source in sources.items()}

    def _memories(self) -> Mapping[str, Any]:
        return {name: bank.memories(now=self.now) for name, bank in self.banks.items()}

    def options(
        self, system: str, given: Mapping[str, Any], *, beside: bool = False
    ) -> dict[str, Any]:
        """Return the options for a system.

        A control has the limit alone. ``beside`` a bank it is not given what is
        meant for the bank; otherwise it is, and refuses it.
        """
        if system != "mnemopi":
            return {n: value for n, value in given.items() if n == "limit" or not beside}
        return {**({"now": self.now} if self.now else {}), **given}


def subject_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose cases and banks."""
    for option in reversed(
        [
            click.option(
                "--bank", "banks", multiple=True, type=click.Path(path_type=Path),
                help="A bank's file; several times for several. Needs --cases.",
            ),
            click.option(
                "--cases", "cases", type=click.Path(path_type=Path),
                help="A file of labelled cases (.jsonl, .csv, .tsv).",
            ),
            click.option(
                "--dataset", "dataset", type=click.Path(path_type=Path),
                help="A labelled set on disk: BEAM, LoCoMo, LongMemEval, BEIR, or your own.",
            ),
            click.option("--kind", help="What kind of set it is, where that is not clear."),
            click.option(
                "--labels", type=click.Choice(["original", "audited"]),
                help="Which labels of the set: LoCoMo and LongMemEval have audited ones.",
            ),
            click.option("--sessions", is_flag=True, help="Judge whole sessions, not single turns."),
            click.option("--first", type=int, metavar="N", help="Only the first N banks of the set."),
            click.option(
                "--folder", type=click.Path(path_type=Path),
                help="Where the set's banks are written; by default memlab's cache.",
            ),
            click.option("--now", help="When it is asked, as 2026-03-01T12:00:00Z."),
        ]
    ):  # fmt: skip
        command = option(command)
    return command


@contextmanager
def task_of(
    *,
    banks: Sequence[Path],
    cases: Path | None,
    dataset: Path | None,
    kind: str | None,
    labels: str | None,
    sessions: bool,
    first: int | None,
    folder: Path | None,
    now: str | None,
) -> Iterator[Task]:
    """Open what the options name; without any, the sample world."""
    if dataset is not None and (banks or cases):
        raise InputError("Give --dataset, or --bank with --cases; not both.")
    with ExitStack() as stack:
        if dataset is not None:
            given = {"labels": labels} if labels else {}
            data = load_dataset(dataset, kind, **given)
            data = data if first is None else data.select(first)
            data = data.by_session() if sessions else data
            place = folder or default_folder().with_name("sets") / _folder_name(data)
            opened = build_banks(data, place)
            when = now or (iso_millis(data.asked_at) if data.asked_at else None)
            task = Task(data.cases, opened, when, data)
        elif banks or cases:
            if not banks or cases is None:
                raise InputError("A bank needs --cases, and cases need --bank.")
            found = [Mnemopi(path) for path in banks]
            task = _banks_task(found, Cases.load(cases), now)
        else:
            world = sample_world()
            opened = {name: Mnemopi(path) for name, path in world.banks().items()}
            task = Task(Cases.load(world.cases), opened, now or world.now)
        for bank in task.banks.values():
            stack.callback(bank.close)
        yield task


def _folder_name(data: Dataset) -> str:
    """Return a name for the banks of a set, another one where any item is another."""
    return digest([data.name, [item.record() for item in data]])


def _banks_task(banks: list[Mnemopi], cases: Cases, now: str | None) -> Task:
    """Put banks and cases together; the cases of a single bank need not name it."""
    named = {case.bank for case in cases}
    if len(banks) == 1 and len(named) == 1:
        return Task(cases, {named.pop(): banks[0]}, now)
    return Task(cases, {bank.bank: bank for bank in banks}, now)


def options_of(texts: Sequence[str], *, several: bool = False) -> dict[str, Any]:
    """Read options written as NAME=VALUE; a value is JSON, or else text.

    With ``several``, NAME=A,B,C gives a list.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise InputError(f"--option {text!r}: write it as NAME=VALUE, such as limit=10.")
        parts = value.split(",") if several and not value.startswith(("[", "{")) else [value]
        values = [_value(part) for part in parts]
        found[name] = values if several and len(values) > 1 else values[0]
    return found


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
