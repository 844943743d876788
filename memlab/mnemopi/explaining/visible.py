"""Whether a recall may see a row at all."""

from __future__ import annotations

from ..visibility import filters
from .explanation import Step
from .subject import Subject

__all__ = ["unseen", "visibility_step"]


def _validity(subject: Subject) -> str | None:
    row, now = subject.row, subject.query.timing.now
    replaced = row["superseded_by"]
    if replaced is not None:
        by = f"by {replaced!r}" if replaced else "by an empty id, which counts too"
        return f"it is superseded {by}"
    until = row["valid_until"]
    if until is not None and not (isinstance(until, str) and until > now):
        return f"it expired: valid until {until!r}, and the clock says {now}"
    return None


def _session(subject: Subject) -> str:
    row, query = subject.row, subject.query
    return (
        f"it belongs to session {row['session_id']!r} (scope {row['scope']!r}, channel "
        f"{row['channel_id']!r}), and the recall is of session {query.session!r}"
    )


def _filtered(subject: Subject) -> list[str]:
    query = subject.query
    options = query.options
    channel = query.session if options.channel is None else options.channel
    lost = []
    for name, (sql, params) in filters(options, query.session, channel):
        seen = subject.snapshot.rows(
            f"SELECT 1 FROM {subject.tier.table} WHERE id = ? AND {sql}", (subject.id, *params)
        )
        if seen:
            continue
        if name == "session":
            lost.append(_session(subject))
        else:
            column = {"from_date": "timestamp", "to_date": "timestamp", "topic": "source"}
            value = subject.row[column.get(name, name)]
            lost.append(f"the option {name}={getattr(options, name)!r} leaves out its {value!r}")
    return lost


def unseen(subject: Subject) -> list[str]:
    """Return all reasons for which the recall may not see the row; none if it may."""
    reasons = [reason] if (reason := _validity(subject)) else []
    if subject.tier.name == "working" and not subject.query.options.include_working:
        reasons.append("the option include_working=False leaves out working memory")
    return reasons + _filtered(subject)


def visibility_step(reasons: list[str]) -> Step:
    """Return the stage as a step."""
    return Step("visible", not reasons, about="; ".join(reasons))
