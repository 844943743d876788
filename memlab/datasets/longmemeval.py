"""LongMemEval: 500 questions, each with a haystack of sessions of its own.

One file: ``longmemeval_{oracle,s_cleaned,m_cleaned}.json``. A question whose id
ends in ``_abs`` has no answer in its haystack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from ..errors import FormatError, InputError
from ..evaluation.case import Case
from ..evaluation.cases import Cases
from .dataset import Dataset
from .dirt import Dirt
from .files import existing, read_json
from .item import Item

__all__ = ["load_longmemeval"]

ABSTENTION = "_abs"
# Reported to the authors as wrong; nobody has published a correction.
DISPUTED = frozenset({"eac54add"})


def load_longmemeval(
    path: str | Path,
    *,
    level: Literal["turn", "session"] = "turn",
    labels: Literal["original", "audited"] = "original",
) -> Dataset:
    """Read LongMemEval from one of its JSON files.

    Each question has a bank of its own, named after it. Items are turns, keyed
    ``SESSION:TURN`` (turns counted from 1). Labels are the turns marked
    ``has_answer``, or with ``level="session"`` the answer's sessions. Questions
    in the category of abstention are null cases. ``labels="audited"`` leaves
    questions whose label is disputed unlabelled.
    """
    if level not in ("turn", "session") or labels not in ("original", "audited"):
        raise InputError(
            f"level={level!r} must be 'turn' or 'session', labels={labels!r} 'original' or 'audited'."
        )
    file = existing(path, "LongMemEval's JSON file")
    dirt = Dirt()
    items: list[Item] = []
    cases: list[Case] = []
    try:
        for question in read_json(file):
            turns = list(_turns(question, dirt))
            items += [turn for turn, _ in turns]
            cases.append(_case(question, turns, level, labels, dirt))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise FormatError(f"{file} is not a LongMemEval file: {error!r:.200}") from error
    return Dataset(f"longmemeval ({level}s)", tuple(items), Cases(cases), dirt.rows())


def _turns(question: Mapping[str, Any], dirt: Dirt) -> Iterator[tuple[Item, bool]]:
    bank = question["question_id"]
    sessions = zip(
        question["haystack_session_ids"],
        question["haystack_dates"],
        question["haystack_sessions"],
        strict=True,
    )
    seen: dict[str, int] = {}
    for name, date, turns in sessions:
        seen[name] = seen.get(name, 0) + 1
        session = name
        if seen[name] > 1:
            session = f"{name}#{seen[name]}"
            dirt.note("a session id occurs twice", "the later is renamed", f"{bank}: {session}")
        time = _when(date, bank, dirt)
        for number, turn in enumerate(turns, start=1):
            item = Item(
                f"{session}:{number}", turn["content"], bank, time, turn["role"], session,
                {"session": session},
            )  # fmt: skip
            yield item, bool(turn.get("has_answer"))


def _when(text: str, bank: str, dirt: Dirt) -> datetime | None:
    try:
        # "2023/05/30 (Tue) 23:40"; the day's name says nothing new.
        day, _, clock = text.split(" ")
        return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
    except ValueError:
        dirt.note("a session's date cannot be read", "left out", f"{bank}: {text!r}")
        return None


def _case(
    question: Mapping[str, Any], turns: list[tuple[Item, bool]], level: str, labels: str, dirt: Dirt
) -> Case:
    name = question["question_id"]
    if level == "session":
        known = {item.session for item, _ in turns}
        keys = [key for key in question["answer_session_ids"] if key in known]
        for key in question["answer_session_ids"]:
            if key not in known:
                dirt.note("evidence names no session", "left out", f"{name}: {key}")
    else:
        keys = [item.key for item, marked in turns if marked]
    relevant: dict[str, int] | None = dict.fromkeys(keys, 1)
    if name.endswith(ABSTENTION):
        relevant = {}
    elif not keys:
        dirt.note("a question has no evidence", "unlabelled: asked, not scored", name)
        relevant = None
    elif labels == "audited" and name in DISPUTED:
        dirt.note("a label is disputed", "unlabelled: asked, not scored", name)
        relevant = None
    return Case(
        name, question["question"], relevant, question["question_type"],
        str(question["answer"]), name, level=level,
        keys="metadata.session" if level == "session" else "id",
    )  # fmt: skip
