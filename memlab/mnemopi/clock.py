"""The instants of a recall: its clock, its query time, and how memories fade."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime

from ..errors import InvalidTime
from ..text.dates import iso_millis, parse_millis
from ..text.javascript import trim
from .dates import event_date
from .lexicon import asks_current
from .options import RecallOptions

__all__ = ["Timing", "decay", "timing"]

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_ZONED = re.compile(r"(?:Z|[+-]\d{2}:?\d{2})\Z", re.ASCII)
_HOUR_MS = 3_600_000
_SHORTEST_HOURS = 0.001


@dataclass(frozen=True, slots=True)
class Timing:
    """When a recall takes place, and from when it looks.

    ``now`` is the clock as ISO text, ``at`` the instant recency is counted from
    (milliseconds), ``date`` the date found in the query.
    """

    now: str
    at: float
    temporal_weight: float
    current_sensitive: bool
    date: str | None


def _instant(value: str) -> float | None:
    """Read a query time: without a zone it is UTC."""
    return parse_millis(value if _DATE.match(value) or _ZONED.search(value) else value + "Z")


def _checked(value: str) -> float:
    text = trim(value)
    found = _instant(text) if text else None
    if found is None:
        # The engine's own words, so that both failures read alike.
        raise InvalidTime(f"Invalid ISO datetime: {text or 'empty string'}")
    return found


def timing(query: str, options: RecallOptions) -> Timing:
    """Work out the instants of a recall from its options and the dates in its query.

    Raises InvalidTime for a query time that the engine refuses.
    """
    now = iso_millis(datetime.now(UTC)) if options.now is None else options.now
    clock = parse_millis(now) or 0.0
    at = None if options.query_time is None else _checked(options.query_time)
    weight = options.temporal_weight
    date = event_date(query, clock if at is None else at)
    if date is not None:
        at = _instant(date) if at is None else at
        weight = options.dated_temporal_weight if weight is None else weight
    current = bool(options.current_sensitive)
    if asks_current(query):
        at = clock if at is None else at
        weight = options.current_temporal_weight if weight is None else weight
        current = True
    return Timing(now, clock if at is None else at, weight or 0.0, current, date)


def decay(stamp: object, at: float, hours: float) -> float:
    """Return exp(-age / hours), 1 for times ahead, 0 for what is no time."""
    millis = parse_millis(stamp) if isinstance(stamp, str) and stamp else None
    if millis is None:
        return 0.0
    return math.exp(-max(0.0, at - millis) / _HOUR_MS / max(hours, _SHORTEST_HOURS))
