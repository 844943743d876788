"""LoCoMo: long talks between two people, with the turns that answer each question.

One file, ``locomo10.json``. Its categories are 1 multi-hop, 2 temporal,
3 open-domain, 4 single-hop, 5 adversarial (the numbers' meaning by the data
and the upstream code; several tools name them otherwise).
"""

from __future__ import annotations

import re
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
from .locomo_audit import Audit, read_audit
from .locomo_evidence import turns_of

__all__ = ["CATEGORIES", "load_locomo"]

CATEGORIES = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
_SESSION = re.compile(r"session_(\d+)")


def load_locomo(
    path: str | Path,
    *,
    labels: Literal["original", "audited"] = "original",
    audit: str | Path | None = None,
    adversarial: Literal["null", "labelled"] = "null",
    captions: bool = True,
) -> Dataset:
    """Read LoCoMo from its JSON file, or from the folder that holds it.

    Items are turns, keyed by their ``dia_id``, "speaker: text"; with
    ``captions``, a turn that shows a picture has its caption in brackets, which
    some answers need. ``labels="audited"`` takes the corrections of
    ``errors.json`` (``audit``, by default beside the file). Adversarial
    questions ask for what was never said: null cases, unless asked otherwise.
    """
    file = existing(path, "locomo10.json")
    file = file / "locomo10.json" if file.is_dir() else file
    if labels not in ("original", "audited") or adversarial not in ("null", "labelled"):
        raise InputError(
            f"labels={labels!r} must be 'original' or 'audited', and adversarial={adversarial!r} "
            "'null' or 'labelled'."
        )
    audited = read_audit(Path(audit) if audit else file.with_name("errors.json"), labels)
    dirt = Dirt()
    items: list[Item] = []
    cases: list[Case] = []
    try:
        for talk in read_json(existing(file, "locomo10.json")):
            turns = list(_turns(talk, captions, dirt))
            items += turns
            known = {item.key for item in turns}
            cases += _questions(talk, known, audited, adversarial, dirt)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{file} is not LoCoMo's file: {error!r:.200}") from error
    name = "locomo" if labels == "original" else "locomo (audited labels)"
    return Dataset(name, tuple(items), Cases(cases), dirt.rows())


def _turns(talk: Mapping[str, Any], captions: bool, dirt: Dirt) -> Iterator[Item]:
    bank, conversation = talk["sample_id"], talk["conversation"]
    numbers = [int(m[1]) for name in conversation if (m := _SESSION.fullmatch(name))]
    dates = [name for name in conversation if name.endswith("_date_time")]
    if len(dates) > len(numbers):
        extra = len(dates) - len(numbers)
        dirt.note("a session has a date and no turns", "nothing to read", bank, extra)
    for number in sorted(numbers):
        time = _when(conversation.get(f"session_{number}_date_time", ""), bank, dirt)
        for turn in conversation[f"session_{number}"]:
            text = f"{turn['speaker']}: {turn['text']}"
            if captions and turn.get("blip_caption"):
                text += f" [shows a picture: {turn['blip_caption']}]"
            yield Item(turn["dia_id"], text, bank, time, turn["speaker"], f"D{number}")


def _when(text: str, bank: str, dirt: Dirt) -> datetime | None:
    try:
        return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        dirt.note("a session's date cannot be read", "left out", f"{bank}: {text!r}")
        return None


def _questions(
    talk: Mapping[str, Any], known: set[str], audited: Audit, adversarial: str, dirt: Dirt
) -> Iterator[Case]:
    bank = talk["sample_id"]
    for number, question in enumerate(talk["qa"]):
        name = f"{bank}/{number}"
        category = CATEGORIES.get(question["category"])
        if category is None:
            dirt.note("a category is unknown", "named by its number", name)
            category = str(question["category"])
        evidence = question.get("evidence") or []
        answer = question.get("answer", question.get("adversarial_answer", ""))
        correction = audited.get((number, question["question"]))
        if correction is not None:
            dirt.note(f"audited: {correction.kind}", correction.done, name)
            evidence, answer = correction.evidence, correction.answer
        keys = list(turns_of(evidence, known, name, dirt))
        relevant: dict[str, int] | None = dict.fromkeys(keys, 1)
        if category == "adversarial" and adversarial == "null":
            relevant = {}
        elif not keys:
            dirt.note("a question has no evidence", "unlabelled: asked, not scored", name)
            relevant = None
        yield Case(name, question["question"], relevant, category, str(answer), bank, level="turn")
