"""Under which circumstances a run was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import pandas as pd

from ..autorecall.auto import AutoRecall
from ..autorecall.spoken import is_spoken
from ..errors import InputError, MemlabError
from ..frames import Column, to_frame
from ..mnemopi import Mnemopi, MnemopiScope, PastBank, PastScope
from ..models import Message
from ..text.dates import iso_millis
from .case import Case
from .digest import digest
from .environment import recall_variables, versions
from .fingerprint import fingerprint
from .targets import Subject, Target, backend_of

__all__ = [
    "Context",
    "asked",
    "cases_digest",
    "clock_of",
    "context_of",
    "labels_digest",
    "question",
    "target_key",
]


@dataclass(frozen=True)
class Context:
    """Everything that a run's answers depend on, so that two runs can be told apart.

    ``data`` maps each bank's name to a hash of its content, ``cases`` is a hash
    of what was asked, ``labels`` one of what counts as relevant. ``variables``
    are environment variables that can change a recall. ``started`` and
    ``versions`` are for the record and make no difference.
    """

    memlab: str
    options: Mapping[str, Any]
    data: Mapping[str, str]
    cases: str
    labels: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    started: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    def frame(self) -> pd.DataFrame:
        """Return setting and value, one row each."""
        rows: list[dict[str, str]] = []
        for name, value in asdict(self).items():
            parts = value.items() if isinstance(value, Mapping) else [("", value)]
            rows += [
                {"setting": f"{name}.{part}" if part else name, "value": str(one)}
                for part, one in parts
            ]
        return to_frame(rows, [Column("setting"), Column("value")])

    def differences(self, other: Context) -> list[str]:
        """Return in sentences what would make the answers differ."""
        found = []
        for name in ("memlab", "options", "data", "cases", "variables"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, Mapping):
                names = sorted({*mine, *theirs})
                found += [
                    f"{name}.{part}: {mine.get(part, 'not there')} / {theirs.get(part, 'not there')}"
                    for part in names
                    if mine.get(part) != theirs.get(part)
                ]
            elif mine != theirs:
                found.append(f"{name}: {mine} / {theirs}")
        return found


def context_of(
    cases: Iterable[Case], chosen: Mapping[str, Subject], options: Mapping[str, Any]
) -> Context:
    """Write down the circumstances of a run that is about to start."""
    cases = list(cases)
    return Context(
        memlab=version("memlab"),
        options={name: _shown(value) for name, value in options.items()},
        data={name: _print(subject) for name, subject in _named(cases, chosen).items()},
        cases=cases_digest(cases),
        labels=labels_digest(cases),
        variables=recall_variables(),
        started=iso_millis(datetime.now(UTC)),
        versions=versions(),
    )


def _named(cases: Iterable[Case], chosen: Mapping[str, Subject]) -> dict[str, Subject]:
    """Return every subject by a name of its own: of like names, with the bank that it answers for."""
    asked_for = {id(chosen[case.id]): case.bank for case in reversed(list(cases))}
    subjects = {id(subject): subject for subject in chosen.values()}
    counts = Counter(_name(subject) for subject in subjects.values())
    found: dict[str, Subject] = {}
    for place, subject in subjects.items():
        name = _name(subject)
        if counts[name] > 1:
            name = f"{name} for {asked_for[place]}"
        alike = sum(other == name or other.startswith(f"{name} #") for other in found)
        found[f"{name} #{alike + 1}" if alike else name] = subject
    return found


def _print(subject: Subject) -> str:
    """Return the fingerprint, or why there is none: a server that is away is a result too."""
    try:
        return fingerprint(subject)
    except MemlabError as error:
        return f"unknown ({type(error).__name__})"


def _name(subject: Subject) -> str:
    if isinstance(subject, AutoRecall):
        plan = subject.plan
        return (
            f"{subject.backend.name} by AutoRecall(turns={plan.turns}, max_chars={plan.max_chars},"
            f" token_limit={plan.token_limit}, {getattr(plan.strategy, '__qualname__', 'own')})"
        )
    return subject.name


def _shown(value: Any) -> Any:
    return (
        value if isinstance(value, bool | int | float | str | list | tuple | None) else str(value)
    )


def asked(case: Case) -> list[Any]:
    """Return what of a case decides its answer."""
    return [*question(case), case.keys]


def question(case: Case) -> list[Any]:
    """Return the query and the conversation of a case, as plain values."""
    talk = case.conversation
    said = None if talk is None else [_said(message) for message in talk.messages]
    return [case.query, said]


def _said(message: Message) -> list[str]:
    spoken = [message.role, message.text]
    return spoken if is_spoken(message) else [*spoken, message.kind]


def labels_digest(cases: Iterable[Case]) -> str:
    """Return a hash of what counts as relevant."""
    return digest([[case.id, case.relevant] for case in cases])


def cases_digest(cases: Iterable[Case]) -> str:
    """Return a hash of what is asked, whatever the labels."""
    return digest([[case.id, case.bank, *asked(case)] for case in cases])


def clock_of(chosen: Mapping[str, Subject], options: Mapping[str, Any], now: str) -> dict[str, Any]:
    """Return the options with the clock stopped, where a Mnemopi bank would read the real one.

    So every case of a run is asked at the same moment. Raises InputError for
    no case at all.
    """
    if not chosen:
        raise InputError("There are no cases to ask.")
    found = dict(options)
    for subject in chosen.values():
        given = subject.plan.options if isinstance(subject, AutoRecall) else {}
        backend = backend_of(subject)
        has_own = isinstance(backend, PastBank | PastScope)
        reads = isinstance(backend, Mnemopi | MnemopiScope) and not has_own
        if reads and "now" not in given:
            found.setdefault("now", now)
    return found


def target_key(target: Target, content: str) -> list[Any]:
    """Return what decides a target's answers, as plain values; ``content`` is the fingerprint.

    Raises InputError where that cannot be told.
    """
    plan = target.plan
    composing = None
    if plan is not None:
        composing = [
            plan.style,
            plan.turns,
            plan.max_chars,
            plan.token_limit,
            _strategy(plan.strategy),
        ]
    return [content, dict(target.options), composing]


def _strategy(strategy: Any) -> str:
    module = str(getattr(strategy, "__module__", ""))
    if not module.startswith("memlab."):
        raise InputError(
            f"The strategy {getattr(strategy, '__qualname__', strategy)!r} is a function of yours, "
            "and memlab cannot tell whether it is the same another time. Give one by name, or "
            "cache=None."
        )
    return f"{module}.{getattr(strategy, '__qualname__', '')}"
