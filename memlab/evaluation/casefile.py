"""Cases as JSON lines: reading with all problems at once, and writing."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import FormatError, InputError
from ..files import write_text
from ..models import Conversation
from .case import Case

__all__ = ["Problem", "case_of", "read_cases", "write_cases", "write_plain"]

FIELDS = (
    "id", "query", "relevant", "category", "notes", "bank", "cwd", "level", "keys", "conversation",
)  # fmt: skip
_SHOWN = 8


class Problem(NamedTuple):
    """What is wrong with one line of a file, or with one case."""

    line: int
    case: str
    problem: str


def case_of(row: object) -> Case:
    """Make a case of one decoded line; raise InputError for what it cannot be."""
    if not isinstance(row, dict):
        raise InputError(f"not an object: {row!r:.80}")
    unknown = sorted(set(row) - set(FIELDS))
    if unknown:
        raise InputError(f"unknown fields {', '.join(unknown)}; known are {', '.join(FIELDS)}")
    for name in ("id", "relevant"):
        if name not in row or (name == "id" and row[name] is None):
            raise InputError(
                f"no field {name!r}"
                + (" ({}: nothing answers it; null: not judged)" if name == "relevant" else "")
            )
    given = {name: value for name, value in row.items() if value is not None}
    if "conversation" in given:
        given["conversation"] = _talk(given["conversation"])
    return Case(**given)


def _talk(messages: object) -> Conversation:
    """Return a conversation of decoded messages: texts, or objects with role, text and kind."""
    talk = Conversation.of(messages)  # type: ignore[arg-type]
    rows = messages if isinstance(messages, list) else []
    kinds = [row.get("kind", "") if isinstance(row, dict) else "prompt" for row in rows]
    strange = [kind for kind in kinds if not isinstance(kind, str)]
    if strange:
        raise InputError(f"the kind of a message is not text: {strange[0]!r:.80}")
    if not kinds:
        return talk
    said = zip(talk.messages, kinds, strict=True)
    return Conversation(tuple(replace(message, kind=kind) for message, kind in said))


def read_cases(path: Path) -> tuple[list[Case], list[Problem]]:
    """Read a cases file; return the good cases, and what is wrong with the others."""
    if not path.is_file():
        raise InputError(f"There is no cases file at {path}. Check the path.")
    cases: list[Case] = []
    found: list[Problem] = []
    seen: dict[str, int] = {}
    for number, row in _rows(path, found):
        try:
            case = case_of(row)
        except InputError as error:
            found.append(Problem(number, _id_of(row), str(error)))
            continue
        if case.id in seen:
            found.append(Problem(number, case.id, f"the id is that of line {seen[case.id]}"))
            continue
        seen[case.id] = number
        cases.append(case)
    return cases, sorted(found)


def _rows(path: Path, found: list[Problem]) -> Iterator[tuple[int, Any]]:
    # Lines end with \n alone: U+2028 and the like may stand inside a text.
    for number, line in enumerate(path.read_bytes().removeprefix(BOM_UTF8).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line.decode("utf-8"))
        except ValueError as error:
            found.append(Problem(number, "", f"not JSON: {error}"))


def _id_of(row: object) -> str:
    value = row.get("id", "") if isinstance(row, dict) else ""
    return value if isinstance(value, str) else repr(value)


def write_cases(path: Path, cases: Iterable[Case]) -> None:
    """Write cases as JSON lines, one each."""
    lines = [json_line(case.record()) for case in cases]
    write_text(path, "".join(lines))


def write_plain(path: Path, text: str) -> None:
    """Write a text as it is; raise InputError for half an emoji, which only JSON can hold."""
    try:
        write_text(path, text)
    except UnicodeEncodeError as error:
        raise InputError(f"{path} cannot hold half an emoji ({error}). Save JSON lines.") from None


def json_line(row: Mapping[str, Any]) -> str:
    """Return a row as a JSON line to be read by people, in ASCII where UTF-8 cannot hold it."""
    line = json.dumps(row, ensure_ascii=False)
    try:
        line.encode()
    except UnicodeEncodeError:  # half an emoji, as a cut leaves it
        line = json.dumps(row)
    return line + "\n"


def complaint(path: Path | str, found: list[Problem]) -> FormatError:
    """Put all problems of a file into one error."""
    lines = [
        f"  line {p.line}{f' ({p.case})' if p.case else ''}: {p.problem}" for p in found[:_SHOWN]
    ]
    more = [f"  … and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    head = f"{path} has {len(found)} lines that are no cases:"
    foot = "Mend them, or use Cases.load(path, strict=False), which keeps the others."
    return FormatError("\n".join([head, *lines, *more, foot]))
