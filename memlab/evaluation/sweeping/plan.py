"""What a sweep knows already, and what it has to ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import MemlabError
from ..answer import Answer
from ..cases import Cases
from ..context import target_key
from ..digest import digest
from ..fingerprint import fingerprint
from ..targets import COMPOSER, Subject, make_target
from .grid import Setting
from .store import Store, case_key
from .work import Job

__all__ = ["Plan", "plan_of"]


@dataclass
class Plan:
    """Known answers, by number of the setting, and the jobs that are left."""

    known: list[dict[str, Answer]]
    jobs: list[Job] = field(default_factory=list)


def plan_of(
    settings: Sequence[Setting], cases: Cases, chosen: Mapping[str, Subject], store: Store
) -> Plan:
    """Look up every setting and bank in the store; what is missing becomes jobs.

    Jobs with the same recall options stand side by side, so that settings
    which differ only in what is made of an answer share it.
    """
    subjects = {id(subject): subject for subject in chosen.values()}
    asked = {place: [case for case in cases if id(chosen[case.id]) == place] for place in subjects}
    keys = {place: {case.id: case_key(case) for case in cases} for place, cases in asked.items()}
    prints = {place: _print(subject) for place, subject in subjects.items()}
    plan = Plan([{} for _ in settings])
    for number, setting in enumerate(settings):
        for place, subject in subjects.items():
            target, content = make_target(subject, setting), prints[place]
            keep = store.folder is not None and content
            name = store.name(target_key(target, content)) if keep else ""
            known = store.read(name, keys[place]) if name else {}
            plan.known[number] |= known
            left = tuple(case for case in asked[place] if case.id not in known)
            if left:
                plan.jobs.append(Job(number, name, subject, setting, left))
    plan.jobs.sort(key=lambda job: (_recall_options(job.setting), id(job.subject)))
    return plan


def _print(subject: Subject) -> str:
    """Return the fingerprint; empty where the backend cannot tell its content: nothing is kept."""
    try:
        return fingerprint(subject)
    except MemlabError:
        return ""


def _recall_options(setting: Setting) -> str:
    return digest({name: value for name, value in setting.items() if name not in COMPOSER})
