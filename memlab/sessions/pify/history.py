"""Search in the running session: every entry of its branch, whatever compaction removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...text.javascript import trim
from .jsontext import stringify
from .snippet import SNIPPET_UNITS, history_snippet
from .terms import query_terms, terms

__all__ = ["EntryText", "HistoryHit", "entry_text", "search_history"]


MIN_UNITS = 40


class EntryText(NamedTuple):
    """What is searched of one entry."""

    id: str | None
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class HistoryHit:
    """An entry of the branch that holds terms of the query; ``index`` counts from 0."""

    index: int
    id: str | None
    role: str
    snippet: str
    matched: int


def _block(block: object) -> str | None:
    if not isinstance(block, dict):
        return None
    if block.get("type") == "text":
        text = block.get("text")
        return text if isinstance(text, str) else None
    name, arguments = block.get("name"), block.get("arguments")
    if block.get("type") != "toolCall" or not isinstance(name, str):
        return None
    return f"{name}({'{}' if arguments is None else stringify(arguments)})"


def _content(content: object) -> str:
    if isinstance(content, str):
        return trim(content)
    if not isinstance(content, list):
        return ""
    return trim("\n".join(text for block in content if (text := _block(block)) is not None))


def entry_text(entry: object) -> EntryText | None:
    """Return id, role and text of an entry, or None if it has nothing to search.

    A message of any role gives its text and tool calls, else its output; a
    compaction without a message gives its summary.
    """
    if not isinstance(entry, dict):
        return None
    name = entry.get("id")
    message = entry.get("message")
    if isinstance(message, dict):
        role = message.get("role")
        said = message.get("content")
        text = _content(message.get("output") if said is None else said)
        role = role if isinstance(role, str) else "message"
    elif entry.get("type") == "compaction" and isinstance(entry.get("summary"), str):
        role, text = "compaction", trim(entry["summary"])
    else:
        return None
    return EntryText(name if isinstance(name, str) else None, role, text) if text else None


def search_history(
    entries: Iterable[object], query: str, limit: float = 8, units: float = SNIPPET_UNITS
) -> list[HistoryHit]:
    """Return the entries with most distinct terms of the query, the later first among equals.

    ``limit`` is at least 1, ``units`` at least 40; the tool rounds and bounds them more.
    """
    wanted = query_terms(query)
    scored: list[tuple[int, int, EntryText]] = []
    for index, entry in enumerate(entries):
        found = entry_text(entry)
        if found is None or not wanted:
            continue
        matched = len(set(terms(found.text)).intersection(wanted))
        if matched:
            scored.append((matched, index, found))
    scored.sort(key=lambda item: item[:2], reverse=True)
    return [_hit(item, wanted, units) for item in scored[: int(max(1, limit))]]


def _hit(item: tuple[int, int, EntryText], wanted: Sequence[str], units: float) -> HistoryHit:
    matched, index, found = item
    shown = history_snippet(found.text, wanted, max(MIN_UNITS, units))
    return HistoryHit(index, found.id, found.role, shown, matched)
