"""The golden answers of the session-search extension, and the folder of logs they were asked of."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "golden" / "session-search"
LOGS = FOLDER / "logs"

# Marked in the answers themselves: they need newer Unicode tables than Python's, or another
# engine's reading of dates that are not ISO 8601.
NEWER_LETTERS = frozenset(range(56, 61))
OTHER_DATES = frozenset({198, 199, 202, 203, *range(210, 217)})
SET_ASIDE = NEWER_LETTERS | OTHER_DATES


@dataclass(frozen=True)
class Answer:
    """One request and the extension's answer, or the name of the error it threw."""

    id: int
    op: str
    args: dict[str, Any]
    result: Any = None
    error: str | None = None
    note: str = ""

    def __str__(self) -> str:
        return f"{self.op}-{self.id}"


@cache
def answers(name: str = "answers.jsonl") -> tuple[Answer, ...]:
    lines = (FOLDER / name).read_bytes().split(b"\n")
    return tuple(Answer(**json.loads(line)) for line in lines if line)


def of(*ops: str) -> list[Answer]:
    """The answers of these kinds that count."""
    return [answer for answer in answers() if answer.op in ops and answer.id not in SET_ASIDE]


def set_times(logs: Path) -> None:
    """Give the logs the times they had when they were asked; a checkout keeps none."""
    for path, seconds in json.loads((FOLDER / "mtimes.json").read_text()).items():
        os.utime(logs / path, (seconds, seconds))


def kinds() -> Counter[str]:
    return Counter(answer.op for answer in answers())
