"""Which rows a recall may see, as an SQL condition."""

from __future__ import annotations

from typing import Any, NamedTuple

from .options import RecallOptions

__all__ = [
    "Condition",
    "Filter",
    "alive",
    "fact_owner",
    "filters",
    "newest_first",
    "visible",
    "walks_filter_index",
]


class Condition(NamedTuple):
    """An SQL condition and its parameters."""

    sql: str
    params: tuple[Any, ...]

    def __and__(self, other: Condition) -> Condition:
        """Join two conditions."""
        return Condition(f"{self.sql} AND {other.sql}", self.params + other.params)


def alive(now: str, table: str = "") -> Condition:
    """Select rows that are neither superseded nor expired; both compared as text, as stored."""
    name = f"{table}." if table else ""
    return Condition(
        f"{name}superseded_by IS NULL AND ({name}valid_until IS NULL OR {name}valid_until > ?)",
        (now,),
    )


def _owner(options: RecallOptions, session: str, channel: str) -> Condition:
    if options.any_session:
        return Condition("1", ())
    if channel:
        return Condition(
            "(session_id = ? OR scope = 'global' OR channel_id = ?)", (session, channel)
        )
    if options.author_id is not None or options.author_type is not None:
        return Condition("1", ())
    return Condition("(session_id = ? OR scope = 'global')", (session,))


class Filter(NamedTuple):
    """One reason for which a row may not be seen: the column or option it is about."""

    name: str
    condition: Condition


def filters(options: RecallOptions, session: str, channel: str) -> list[Filter]:
    """Return what a caller's options ask of a row, one by one; validity is not among them."""
    found = [Filter("session", _owner(options, session, channel))]
    if options.from_date is not None:
        found.append(
            Filter("from_date", Condition("timestamp >= ?", (f"{options.from_date}T00:00:00",)))
        )
    if options.to_date is not None:
        found.append(
            Filter("to_date", Condition("timestamp <= ?", (f"{options.to_date}T23:59:59",)))
        )
    # An empty date or author is a filter too; an empty source or type is none.
    equal = {
        "source": ("source", options.source or None),
        "topic": ("source", options.topic or None),
        "veracity": ("veracity", options.veracity or None),
        "memory_type": ("memory_type", options.memory_type or None),
        "author_id": ("author_id", options.author_id),
        "author_type": ("author_type", options.author_type),
    }
    for name, (column, value) in equal.items():
        if value is not None:
            found.append(Filter(name, Condition(f"{column} = ?", (value,))))
    return found


def visible(options: RecallOptions, session: str, channel: str, now: str) -> Condition:
    """Select the rows of either tier that a recall with these options may return."""
    condition = alive(now)
    for one in filters(options, session, channel):
        condition &= one.condition
    return condition


def walks_filter_index(options: RecallOptions) -> bool:
    """Tell whether a filter makes the engine's SQLite walk another index, which decides ties."""
    return bool(options.source or options.topic or options.author_id is not None)


def newest_first(options: RecallOptions) -> str:
    """Return the order of a scan of the newest rows."""
    return f"timestamp DESC, rowid {'ASC' if walks_filter_index(options) else 'DESC'}"


def fact_owner(session: str, has_scope: bool) -> Condition:
    """Select the facts of a session (or global ones, where the table has a scope)."""
    if has_scope:
        return Condition("(facts.session_id = ? OR facts.scope = 'global')", (session,))
    return Condition("facts.session_id = ?", (session,))
