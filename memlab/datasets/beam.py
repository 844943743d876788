"""BEAM: long chats, with the messages that answer each question.

Format as measured in the files of the 100K set: ``CHAT/chat.json`` (where there
is a ``chat_trunecated.json``, that one is meant, and only with it do all ids
resolve) and ``CHAT/probing_questions/probing_questions.json``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..errors import FormatError
from ..evaluation.case import Case
from ..evaluation.cases import Cases
from .dataset import Dataset
from .dirt import Dirt
from .files import existing, read_json
from .item import Item

__all__ = ["load_beam"]

ABSTENTION = "abstention"
ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")
# A generator's mark at the end of a message: "->-> 1,14", rarely "->-> 3,N/A" or "->-> 2,5)".
_MARK = re.compile(r"\s*->->\s*[\d,/NA]*\)?\s*$")


def load_beam(path: str | Path) -> Dataset:
    """Read BEAM chats from a folder of numbered chats, or one chat from its own folder.

    Items are messages, keyed by their id; their time is the day of the last
    time anchor. Categories are BEAM's; abstention questions are null cases,
    other questions without evidence are unlabelled.
    """
    folder = existing(path, "BEAM's chats")
    chats = [folder] if (folder / "chat.json").exists() else _chats(folder)
    dirt = Dirt()
    items: list[Item] = []
    cases: list[Case] = []
    for chat in chats:
        bank = f"beam-{chat.name}"
        messages = list(_messages(chat, bank, dirt))
        items += messages
        cases += _questions(chat, bank, {item.key for item in messages}, dirt)
    return Dataset("beam", tuple(items), Cases(cases), dirt.rows())


def _chats(folder: Path) -> list[Path]:
    found = [path.parent for path in folder.glob("*/chat.json")]
    if not found:
        raise FormatError(f"{folder} holds no BEAM chats: no */chat.json in it.")
    return sorted(found, key=lambda path: (len(path.name), path.name))


def _messages(chat: Path, bank: str, dirt: Dirt) -> Iterator[Item]:
    file = chat / "chat_trunecated.json"
    if file.exists():
        dirt.note("a chat has a cut version too", "the cut one is read", bank)
    else:
        file = chat / "chat.json"
    time: datetime | None = None
    try:
        for batch in read_json(file):
            for message in (m for turn in batch["turns"] for m in turn):
                time = _day(message.get("time_anchor") or "", bank, dirt) or time
                text = _MARK.sub("", message["content"])
                key = str(message["id"])
                if text != message["content"]:
                    dirt.note("a message ends in a generator's mark", "taken off", f"{bank}/{key}")
                session = f"batch-{batch['batch_number']}"
                yield Item(key, text, bank, time, message["role"], session)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{file} is not a BEAM chat: {error!r:.200}") from error


def _day(anchor: str, bank: str, dirt: Dirt) -> datetime | None:
    if not anchor:
        return None
    try:
        return datetime.strptime(anchor, "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError:
        dirt.note("a time anchor is no date", "left out", f"{bank}: {anchor}")
        return None


def _questions(chat: Path, bank: str, known: set[str], dirt: Dirt) -> Iterator[Case]:
    file = chat / "probing_questions" / "probing_questions.json"
    if not file.exists():
        dirt.note("a chat has no questions", "its messages are kept", bank)
        return
    try:
        for category, questions in read_json(file).items():
            for number, question in enumerate(questions, start=1):
                name = f"{bank}/{category}/{number}"
                relevant = _labels(name, category, question, known, dirt)
                notes = next((str(question[field]) for field in ANSWERS if field in question), "")
                text = question["question"]
                yield Case(name, text, relevant, category, notes, bank, level="turn")
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{file} is not a file of BEAM questions: {error!r:.200}") from error


def _labels(
    name: str, category: str, question: Mapping[str, Any], known: set[str], dirt: Dirt
) -> dict[str, int] | None:
    if category == ABSTENTION:
        return {}
    listed = list(_ids(question.get("source_chat_ids")))
    keys = [key for key in dict.fromkeys(listed) if key in known]
    if len(set(listed)) < len(listed):
        dirt.note("a question names a message twice", "counted once", name)
    for key in set(listed) - known:
        dirt.note("evidence names no message", "left out", f"{name}: {key}")
    if not keys:
        dirt.note("a question has no evidence", "unlabelled: asked, not scored", name)
        return None
    return dict.fromkeys(keys, 1)


def _ids(value: object) -> Iterator[str]:
    """Yield the ids of a list, or of an object of lists, or of lists in lists."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _ids(part)
    elif value is not None:
        yield str(value)
