"""Dates that a query mentions, read as the engine reads them.

The first rule that fires wins. Nothing is filtered by such a date: it only
moves the instant from which recency is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..text.dates import DAY_MS, LIMIT_MS, calendar, day_number, iso_day
from ..text.javascript import BLANKS, trim

__all__ = ["MONTHS", "WEEKDAYS", "event_date", "phrase"]

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december",
)  # fmt: skip

_SAFE_INTEGER = 2**53 - 1
_TWO_DIGITS = 100
_MONDAY_OFFSET = 3  # 1970-01-01 was a Thursday
_UNIT_MS = {"second": 1000, "minute": 60_000, "hour": 3_600_000}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile a JavaScript pattern: ASCII words and digits, JavaScript's blanks."""
    return re.compile(pattern.replace(r"\s", f"[{re.escape(BLANKS)}]"), re.ASCII)


_MONTH = "|".join([*MONTHS, *(name[:3] for name in MONTHS)])
_DAY = "|".join([*WEEKDAYS, *(name[:3] for name in WEEKDAYS)])
_UNIT = "second|minute|hour|day|week|month|year"
_ISO = phrase(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_SLASHED = phrase(r"\b(\d{1,2})/(\d{1,2})/(\d{2,4})\b")
_NAMED = phrase(rf"\b({_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s*(\d{{4}}))?\b")
_RELATIVE_DAYS = (
    (phrase(r"\btoday\b"), 0),
    (phrase(r"\byesterday\b"), -1),
    (phrase(r"\btomorrow\b"), 1),
)
_NAMED_DAY = phrase(rf"\b(last|this|next)\s+({_DAY})\b")
_BARE_DAY = phrase(rf"\b({'|'.join(WEEKDAYS)})\b")
_NAMED_SPAN = phrase(r"\b(this|last|next)\s+(week|month|year)\b")
_AGO = phrase(rf"\b(\d+)\s+({_UNIT})s?\s+(?:ago|before|earlier|back)\b")
_AHEAD = phrase(rf"\bin\s+(\d+)\s+({_UNIT})s?\b")
_VAGUE = phrase(
    r"\b(?:recently|lately|not\s+long\s+ago|a\s+while\s+ago|some\s+time\s+ago|long\s+ago)\b"
)


def _real_day(year: int, month: int, day: int) -> int | None:
    """Return the day number of a date that the calendar has, from year 100 on."""
    if not (1 <= month <= len(MONTHS) and day >= 1 and year >= _TWO_DIGITS):
        return None
    days = day_number(year, month, day)
    return days if calendar(days) == (year, month, day) else None


def _written_date(query: str, low: str, today: int) -> int | None:
    """Read the first date that is written out: ISO, with slashes, with a month name."""
    if (found := _ISO.search(query)) and (
        days := _real_day(int(found[1]), int(found[2]), int(found[3]))
    ) is not None:
        return days
    if found := _SLASHED.search(query):
        first, second, year = int(found[1]), int(found[2]), int(found[3])
        year += 2000 if year < _TWO_DIGITS else 0
        day, month = (first, second) if first > len(MONTHS) else (second, first)
        if (days := _real_day(year, month, day)) is not None:
            return days
    if found := _NAMED.search(low):
        year = int(found[3]) if found[3] else calendar(today)[0]
        month = next(i for i, name in enumerate(MONTHS, 1) if name[:3] == found[1][:3])
        return _real_day(year, month, int(found[2]))
    return None


def _weekday(which: str, name: str, today: int) -> int:
    current = (today + _MONDAY_OFFSET) % 7
    target = next(i for i, full in enumerate(WEEKDAYS) if full[:3] == name[:3])
    if which == "next":
        return today + ((target - current) % 7 or 7)
    return today - (current - target) % 7 - (7 if which == "last" else 0)


def _span(which: str, unit: str, today: int) -> int:
    step = {"this": 0, "last": -1, "next": 1}[which]
    if step == 0:
        return today
    if unit == "week":
        return today + 7 * step
    year, month, _ = calendar(today)
    if unit == "year":
        return day_number(year + step, 1, 1)
    year, month = divmod(year * 12 + month - 1 + step, 12)
    return day_number(year, month + 1, 1)


def _shifted(count: int, unit: str, sign: int, reference: float) -> int | None:
    """Return the day ``count`` units away, or None outside what JavaScript can count."""
    if count > _SAFE_INTEGER:
        return None
    if unit in _UNIT_MS:
        moved = reference + sign * count * _UNIT_MS[unit]
    else:
        moved = (reference // DAY_MS + sign * count * _UNIT_DAYS[unit]) * DAY_MS
    return int(moved // DAY_MS) if abs(moved) <= LIMIT_MS else None


def _named_time(low: str, today: int) -> int | None:
    """Read today, a weekday or a span by name."""
    for pattern, offset in _RELATIVE_DAYS:
        if pattern.search(low):
            return today + offset
    if found := _NAMED_DAY.search(low):
        return _weekday(found[1], found[2], today)
    if found := _BARE_DAY.search(low):
        return _weekday("this", found[1], today)
    if found := _NAMED_SPAN.search(low):
        return _span(found[1], found[2], today)
    return None


def event_date(query: str, reference: float) -> str | None:
    """Return the date that a query mentions, as ``YYYY-MM-DD``, or None.

    ``reference`` is the instant that "today" means, in milliseconds since 1970.
    Years outside 0 to 9999 give the first ten characters of the long form, as
    the engine does.
    """
    low = trim(query.lower())
    today = int(reference // DAY_MS)
    readers: tuple[Callable[[], int | None], ...] = (
        lambda: _written_date(query, low, today),
        lambda: _named_time(low, today),
    )
    for read in readers:
        if (days := read()) is not None:
            return iso_day(days)[:10]
    for pattern, sign in ((_AGO, -1), (_AHEAD, 1)):
        if found := pattern.search(low):
            moved = _shifted(int(found[1]), found[2], sign, reference)
            return None if moved is None else iso_day(moved)[:10]
    return iso_day(today)[:10] if _VAGUE.search(low) else None
