"""Runs on disk: one JSON line each for circumstances, cases, answers and labels.

Answers are appended one by one while a run goes on, so that an interrupted run
goes on where it stopped. Of two answers to one case the later counts; a last
line that was cut off is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..errors import FormatError, InputError
from ..files import write_text
from .answer import Answer
from .case import Case
from .casefile import case_of
from .context import Context
from .labels import Label
from .shapes import HeadShape, LabelShape, fit

__all__ = ["Stored", "append", "read_run", "write_run"]

FORMAT = 1


@dataclass
class Stored:
    """What a run file holds."""

    backend: str
    label: str | None
    measures: list[str]
    context: Context
    cases: list[Case] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)

    def head(self) -> dict[str, Any]:
        """Return the first line of the file."""
        row = {"format": FORMAT, "backend": self.backend, "label": self.label}
        return {"run": row | {"measures": self.measures, "context": asdict(self.context)}}


def write_run(path: Path, stored: Stored) -> None:
    """Write a whole run; the file is complete or not there."""
    rows: list[Mapping[str, Any]] = [stored.head()]
    rows += [{"case": case.record()} for case in stored.cases]
    rows += [{"answer": answer.record()} for answer in stored.answers.values()]
    rows += [{"label": label.record()} for label in stored.labels]
    write_text(path, "".join(map(_line, rows)))


def append(path: Path, answers: Iterable[Answer]) -> None:
    """Add answers to a run file."""
    lines = "".join(_line({"answer": answer.record()}) for answer in answers)
    with path.open("ab") as file:
        # A line that was cut off when a run was killed must not swallow the next.
        file.write(b"\n" + lines.encode() if _is_ragged(path) else lines.encode())


def _is_ragged(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, 2) == 0:
            return False
        file.seek(-1, 2)
        return file.read(1) != b"\n"


def _line(row: Mapping[str, Any]) -> str:
    # ASCII, since a text may hold half an emoji, which UTF-8 cannot.
    return json.dumps(row, ensure_ascii=True, separators=(",", ":")) + "\n"


def read_run(path: Path) -> Stored:
    """Read a run file; raise InputError where there is none, FormatError where it is none."""
    if not path.is_file():
        raise InputError(f"There is no run at {path}. Check the path.")
    lines = path.read_bytes().split(b"\n")
    stored = _head(path, lines[0])
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            if number >= len(lines) or _is_cut(lines, number):
                continue
            raise FormatError(f"{path}, line {number}: not JSON.") from None
        try:
            _take(stored, row)
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{path}, line {number} is no line of a run: {error}") from error
    return stored


def _is_cut(lines: list[bytes], number: int) -> bool:
    """Tell whether a line that cannot be read was cut off: it begins like an answer."""
    return lines[number - 1].startswith(b'{"answer":')


def _head(path: Path, line: bytes) -> Stored:
    try:
        row = json.loads(line)["run"]
        if row["format"] == FORMAT:
            fit(HeadShape, row)
        else:
            raise FormatError(
                f"{path} is a run of format {row['format']}; this memlab reads {FORMAT}."
            )
        return Stored(row["backend"], row["label"], row["measures"], Context(**row["context"]))
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{path} is not a run that memlab saved: {error!r:.200}") from error


def _take(stored: Stored, row: Mapping[str, Any]) -> None:
    if "answer" in row:
        answer = Answer.from_record(row["answer"])
        stored.answers[answer.case] = answer
    elif "case" in row:
        stored.cases.append(case_of(row["case"]))
    else:
        fit(LabelShape, row["label"])
        stored.labels.append(Label(**row["label"]))
