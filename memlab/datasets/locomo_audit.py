"""The audit of LoCoMo's labels: corrected answers and evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ..errors import FormatError
from .files import existing, read_json

__all__ = ["Audit", "Correction", "read_audit"]

_ID = re.compile(r"locomo_\d+_qa(\d+)")


class Correction(NamedTuple):
    """What the audit says of one question."""

    kind: str
    evidence: tuple[str, ...]
    answer: str
    done: str


Audit: TypeAlias = Mapping[tuple[int, str], Correction]
"""Corrections by the question's number in its talk, and its words.

The audit counts talks from 0 in the full file; by the words a file with fewer
talks is matched as well.
"""


def read_audit(path: Path, labels: str) -> Audit:
    """Return the corrections of the audit; none for the original labels."""
    if labels == "original":
        return {}
    found: dict[tuple[int, str], Correction] = {}
    try:
        for row in read_json(existing(path, "the audit's errors.json")):
            number = _ID.fullmatch(row["question_id"])
            if number is None:
                raise KeyError(row["question_id"])
            evidence = tuple(str(name) for name in row["correct_evidence"])
            changed = list(row["correct_evidence"]) != list(row["cited_evidence"])
            kind = row["error_type"].lower().replace("_", " ")
            done = "evidence and answer replaced" if changed else "answer replaced"
            answer = str(row["correct_answer"])
            found[int(number[1]), row["question"]] = Correction(kind, evidence, answer, done)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path} is not the audit of LoCoMo: {error!r:.200}") from error
    return found
