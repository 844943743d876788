"""One file read whole: header, entries, tree, and what was wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from ..errors import FormatError
from .blobs import missing_blobs
from .dialects import Agent, detect, dialect_of
from .entry import Entry, Header
from .lines import read_lines
from .problems import Problem, Problems
from .tree import Tree, grow

__all__ = ["Log", "Report", "read_log", "told_agent"]

HEAD = 50
"""How many lines are looked at to tell whose log it is."""

Row = Mapping[str, Any]


class Report(NamedTuple):
    """What reading a file met. ``lines`` counts those that hold a value."""

    lines: int
    malformed: int
    unknown_types: Mapping[str, int]
    duplicates: int
    missing_parents: int
    loops: int
    version: str | None


class Log(NamedTuple):
    """A file as read."""

    agent: Agent
    header: Header
    entries: tuple[Entry, ...]
    tree: Tree
    report: Report
    problems: Problems


def told_agent(rows: Sequence[tuple[int, Row]], path: PurePath) -> Agent:
    """Tell whose log the first lines look like."""
    return detect((row for _, row in islice(rows, HEAD)), path)


def _rows(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Row]]:
    for number, value in read_lines(path, problems):
        if isinstance(value, dict):
            yield number, value
        else:
            problems.append(Problem(str(path), number, "a JSON value that is no object"))


def _tree_problems(name: str, entries: Sequence[Entry], tree: Tree) -> Iterator[Problem]:
    for place in tree.duplicates:
        entry = entries[place]
        yield Problem(name, entry.line_no, f"the id {entry.id!r} was used before")
    for place in tree.missing_parents:
        entry = entries[place]
        yield Problem(name, entry.line_no, f"its parent {entry.parent!r} is not in this file")
    for place in tree.loops:
        yield Problem(name, entries[place].line_no, "its parents lead back to it; cut here")


def read_log(path: Path, agent: Agent | None = None) -> Log:
    """Read a log; ``agent`` forces a dialect. Raises FormatError if the file cannot be opened."""
    problems: list[Problem] = []
    name = str(path)
    try:
        rows = list(_rows(path, problems))
    except OSError as error:
        raise FormatError(f"{name} cannot be read: {error.strerror}.") from error
    malformed = len(problems)
    told = agent or told_agent(rows, path)
    dialect = dialect_of(told)
    header = dialect.header(rows, lambda line, why: problems.append(Problem(name, line, why)))
    entries = tuple(dialect.entries(rows))
    tree = grow(entries)
    problems += _tree_problems(name, entries, tree)
    problems += missing_blobs(path, entries)
    unknown = Counter(entry.type for entry in entries if not entry.known)
    counts = (len(tree.duplicates), len(tree.missing_parents), len(tree.loops))
    report = Report(len(rows), malformed, dict(unknown), *counts, header.version)
    return Log(told, header, entries, tree, report, Problems(sorted(problems, key=_line)))


def _line(problem: Problem) -> int:
    return problem.line
