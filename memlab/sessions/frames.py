"""The tables of session logs: one row per piece of text, and one row per session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..frames import Column
from ..text.javascript import length, well_formed
from .entry import Entry, Part

if TYPE_CHECKING:
    from .session import Session

__all__ = ["ENTRY_COLUMNS", "SESSION_COLUMNS", "entry_rows", "project_of", "session_row"]

USAGE = ("input", "output", "cache_read", "cache_write")
ENTRY_COLUMNS = (
    Column("session_id"),
    Column("agent", "category"),
    Column("path"),
    Column("cwd"),
    Column("project"),
    Column("title"),
    Column("parent_session"),
    Column("is_subagent", "bool"),
    Column("entry_id"),
    Column("parent_id"),
    Column("line_no", "int"),
    Column("type", "category"),
    Column("ts", "time"),
    Column("role", "category"),
    Column("kind", "category"),
    Column("tool"),
    Column("text"),
    Column("chars", "int"),
    Column("model"),
    Column("branch", "int"),
    Column("on_active_path", "bool"),
    Column("in_context", "bool"),
    Column("is_error", "bool"),
    *(Column(f"usage_{name}", "int") for name in USAGE),
    Column("usage_cost", "float"),
)
SESSION_COLUMNS = (
    Column("session_id"),
    Column("agent", "category"),
    Column("version"),
    Column("path"),
    Column("cwd"),
    Column("project"),
    Column("title"),
    Column("parent_session"),
    Column("is_subagent", "bool"),
    Column("started", "time"),
    Column("ended", "time"),
    Column("bytes", "int"),
    Column("lines", "int"),
    Column("entries", "int"),
    Column("turns", "int"),
    Column("prompts", "int"),
    Column("replies", "int"),
    Column("tool_calls", "int"),
    Column("branches", "int"),
    Column("compactions", "int"),
    Column("resets", "int"),
    Column("models", "object"),
    *(Column(f"tokens_{name}", "int") for name in USAGE),
    Column("cost", "float"),
    Column("malformed", "int"),
    Column("unknown_types", "object"),
    Column("duplicates", "int"),
    Column("missing_parents", "int"),
    Column("problems", "int"),
)
_SEPARATOR = re.compile(r"[\\/]+")
_NO_TEXT = Part("meta", "")


def project_of(cwd: str | None) -> str | None:
    """Return the last part of a working directory, or None where there is none."""
    parts = [part for part in _SEPARATOR.split(cwd or "") if part]
    return parts[-1] if parts else None


def _session_fields(session: Session) -> dict[str, Any]:
    return {
        "session_id": session.id,
        "agent": session.agent,
        "path": str(session.path),
        "cwd": session.cwd,
        "project": session.project,
        "title": session.title,
        "parent_session": session.parent_session,
        "is_subagent": session.is_subagent,
    }


def _part_fields(part: Part) -> dict[str, Any]:
    text = well_formed(part.text)
    return {
        "kind": part.kind,
        "tool": part.tool,
        "text": text,
        "chars": length(text),
        "is_error": part.is_error,
    }


def _usage_fields(entry: Entry) -> dict[str, Any]:
    if entry.usage is None:
        return {}
    return {f"usage_{name}": value for name, value in entry.usage._asdict().items()}


def entry_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield a row per part, in file order; an entry without text gives one row of kind meta."""
    fields, tree = _session_fields(session), session.tree
    for place, entry in enumerate(session.entries):
        row = {
            **fields,
            "is_subagent": session.is_subagent or entry.sidechain,
            "entry_id": entry.id,
            "parent_id": entry.parent,
            "line_no": entry.line_no,
            "type": entry.type,
            "ts": entry.at,
            "role": entry.role,
            "model": entry.model,
            "branch": tree.branch[place],
            "on_active_path": tree.active[place],
            "in_context": tree.in_context[place],
        }
        usage = _usage_fields(entry)
        for part in entry.parts or (_NO_TEXT,):
            yield {**row, **_part_fields(part), **usage}
            usage = {}  # counted once


def session_row(session: Session) -> dict[str, Any]:
    """Return the one row of a session."""
    entries, report = session.entries, session.report
    times = [entry.at for entry in entries if entry.at is not None]
    kinds = [part.kind for entry in entries for part in entry.parts]
    said = [message.kind for message in session.turns]
    boundaries = [entry.boundary.kind for entry in entries if entry.boundary]
    usages = [entry.usage for entry in entries if entry.usage]
    tokens = {
        f"tokens_{name}": sum(getattr(usage, name) or 0 for usage in usages) for name in USAGE
    }
    costs = [usage.cost for usage in usages if usage.cost is not None]
    return {
        **_session_fields(session),
        **tokens,
        "version": report.version,
        "started": session.started or min(times, default=None),
        "ended": max(times, default=None),
        "bytes": session.bytes,
        "lines": report.lines,
        "entries": len(entries),
        "turns": len(said),
        "prompts": said.count("prompt"),
        "replies": said.count("reply"),
        "tool_calls": kinds.count("tool_call"),
        "branches": session.tree.branches,
        "compactions": boundaries.count("compaction"),
        "resets": boundaries.count("reset"),
        "models": tuple(dict.fromkeys(e.model for e in entries if e.model)),
        "cost": sum(costs) if costs else None,
        "malformed": report.malformed,
        "unknown_types": dict(report.unknown_types),
        "duplicates": report.duplicates,
        "missing_parents": report.missing_parents,
        "problems": len(session.problems),
    }
