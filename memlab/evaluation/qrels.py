"""Labels and rankings in the formats that retrieval tools exchange."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import FormatError, InputError
from .casefile import write_plain

__all__ = ["read_qrels", "read_queries", "read_run", "write_qrels", "write_queries", "write_run"]

Labels = dict[str, dict[str, int]]


def _lines(path: Path) -> Iterable[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8 text: {error}.") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line.rstrip("\r")


def read_qrels(path: str | Path) -> Labels:
    """Read qrels: TREC's four columns (query 0 key grade) or BEIR's three with a header.

    Grades below 0 (TREC's marks for junk) become 0, judged and not relevant.
    Raises FormatError naming the line.
    """
    labels: Labels = {}
    path = Path(path)
    for number, line in _lines(path):
        cells = line.split("\t") if line.count("\t") == 2 else line.split()
        if number == 1 and cells[-1] in ("score", "relevance", "grade"):
            continue
        if len(cells) == 4:
            del cells[1]
        try:
            query, key, grade = cells
            value = int(grade)
        except ValueError:
            raise FormatError(
                f"{path}, line {number}: expected query, 0, key, grade (TREC) or query, key, "
                f"grade (BEIR), found {line!r:.80}."
            ) from None
        labels.setdefault(query, {})[key] = max(value, 0)
    return labels


def read_queries(path: str | Path) -> dict[str, str]:
    """Read queries, one a line: id, tab, text."""
    found: dict[str, str] = {}
    for number, line in _lines(Path(path)):
        name, tab, text = line.partition("\t")
        if not tab:
            raise FormatError(f"{path}, line {number}: expected id, tab, text; found {line!r:.80}.")
        found[name] = text
    return found


def read_run(path: str | Path) -> dict[str, list[str]]:
    """Read a TREC run (query Q0 key rank score tag): the keys of each query, best first.

    As trec_eval does, the order is that of the scores; equal scores keep the
    order of their ranks.
    """
    rows: dict[str, list[tuple[float, int, str]]] = {}
    for number, line in _lines(Path(path)):
        try:
            query, _, key, rank, score, _ = line.split()
            rows.setdefault(query, []).append((-float(score), int(rank), key))
        except ValueError:
            raise FormatError(
                f"{path}, line {number}: expected query, Q0, key, rank, score, tag; "
                f"found {line!r:.80}."
            ) from None
    return {query: [key for _, _, key in sorted(found)] for query, found in rows.items()}


def _cell(text: str) -> str:
    if not text or any(letter.isspace() for letter in text):
        raise InputError(f"{text!r} cannot stand in a TREC file: ids there have no blanks.")
    return text


def write_qrels(path: Path, labels: Mapping[str, Mapping[str, int]]) -> None:
    """Write TREC qrels; raise InputError where an id has blanks."""
    lines = [
        f"{_cell(query)} 0 {_cell(key)} {grade}\n"
        for query, grades in labels.items()
        for key, grade in grades.items()
    ]
    write_plain(path, "".join(lines))


def write_queries(path: Path, queries: Mapping[str, str]) -> None:
    """Write queries, one a line; line breaks and tabs in a text become blanks."""
    lines = [f"{_cell(name)}\t{' '.join(text.split())}\n" for name, text in queries.items()]
    write_plain(path, "".join(lines))


def write_run(path: Path, rankings: Mapping[str, Iterable[str]], tag: str) -> None:
    """Write a TREC run; scores are minus the rank, so that no tool breaks ties by name."""
    tag = "_".join(tag.split()) or "memlab"
    lines = [
        f"{_cell(query)} Q0 {_cell(key)} {rank} {-rank} {tag}\n"
        for query, keys in rankings.items()
        for rank, key in enumerate(keys, start=1)
    ]
    write_plain(path, "".join(lines))
