"""Which documents a search may return."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import NamedTuple

from ...errors import InputError, InvalidTime
from ..dialects import AGENTS
from ..values import millis
from .schema import FIELDS

__all__ = ["DEFAULT_FIELDS", "Filters", "Limits", "chosen_fields"]

DEFAULT_FIELDS = tuple(name for name in FIELDS if name != "tool_result")
Moment = str | date | datetime | None


def _millis(value: Moment, name: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time(), UTC)
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=UTC)
        return aware.timestamp() * 1000
    found = millis(value)
    if found is None:
        raise InvalidTime(
            f"{name}={value!r} is no time. Write it as 2026-01-31 or 2026-01-31T09:00Z."
        )
    return found


def chosen_fields(fields: str | Iterable[str]) -> tuple[str, ...]:
    """Return the fields to search, in their fixed order. Raises InputError for others."""
    wanted = {fields} if isinstance(fields, str) else set(fields)
    unknown = sorted(wanted.difference(FIELDS))
    if unknown or not wanted:
        raise InputError(f"fields={sorted(wanted)!r}: a field is one of {', '.join(FIELDS)}.")
    return tuple(name for name in FIELDS if name in wanted)


class Filters(NamedTuple):
    """Conditions on a document and its session; None asks nothing.

    Sessions of unknown time (0) are outside any ``since`` or ``until``.
    """

    role: str | None = None
    project: str | None = None
    agent: str | None = None
    since: Moment = None
    until: Moment = None
    sub_agents: bool = True
    active_only: bool = False

    def condition(self) -> tuple[str, list[object]]:
        """Return SQL over ``docs d`` and ``files f``, beginning with AND, and its values.

        ``project`` is the name of a working directory, or its whole path. ``until`` is
        not part of the span. Raises InputError or InvalidTime for what cannot be used.
        """
        if self.agent is not None and self.agent not in AGENTS:
            raise InputError(f"agent={self.agent!r} is none of {', '.join(AGENTS)}.")
        since, until = _millis(self.since, "since"), _millis(self.until, "until")
        tests: list[tuple[bool, str, list[object]]] = [
            (self.role is not None, "d.role = ?", [self.role]),
            (self.project is not None, "(f.project = ? OR f.cwd = ?)", [self.project] * 2),
            (self.agent is not None, "f.agent = ?", [self.agent]),
            (since is not None, "d.time <> 0 AND d.time >= ?", [since]),
            (until is not None, "d.time <> 0 AND d.time < ?", [until]),
            (not self.sub_agents, "NOT f.is_subagent", []),
            (self.active_only, "d.active", []),
        ]
        used = [(sql, values) for is_asked, sql, values in tests if is_asked]
        text = "".join(f" AND {sql}" for sql, _ in used)
        return text, [value for _, values in used for value in values]


class Limits(NamedTuple):
    """How many documents are wanted, which, and the file (by id) that gives none."""

    size: float
    filters: Filters = Filters()
    excluded: int | None = None

    def condition(self) -> tuple[str, list[object]]:
        """Return SQL over ``docs d`` and ``files f``, beginning with AND, and its values."""
        text, values = self.filters.condition()
        if self.excluded is None:
            return text, values
        return f"{text} AND d.file <> ?", [*values, self.excluded]
