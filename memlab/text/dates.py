"""JavaScript's reading of dates (``Date.parse``), as far as memory banks need it.

All the ISO forms of ECMA-262 as the agents' runtime accepts them, and the two
loose forms people write by hand ("2026-3-1", "March 1, 2026"). Other loose
forms give None. A time without a zone is local time of the process; the agents'
own rows always carry a zone, so memlab takes UTC unless told otherwise.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

__all__ = ["DAY_MS", "LIMIT_MS", "calendar", "day_number", "iso_day", "iso_millis", "parse_millis"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DAY = _EPOCH.toordinal()
_DATE = r"(?P<year>\d{4}|\+\d{6}|-(?!000000)\d{6})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?"
_TIME = r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d+))?)?"
_ZONE = r"(?P<zone>[Zz]|[+-]\d\d:?\d\d)"
_ISO = re.compile(f"{_DATE}(?:Z|[Tt ]{_TIME}{_ZONE}?)?\\Z", re.ASCII)
_LOOSE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\Z", re.ASCII)
_NAMED = re.compile(r"([A-Za-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})\Z", re.ASCII)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAY_MS = 86_400_000
LIMIT_MS = 8.64e15
"""The largest instant of JavaScript, in milliseconds from 1970."""
_CYCLE_YEARS, _CYCLE_DAYS = 400, 146_097
_LAST_SHORT_YEAR = 9999


def day_number(year: int, month: int, day: int) -> int:
    """Return the days since 1970 of a proleptic Gregorian date; any day number rolls over."""
    cycles, year = divmod(year - 1, _CYCLE_YEARS)
    return date(year + 1, month, 1).toordinal() - _EPOCH_DAY + cycles * _CYCLE_DAYS + day - 1


def calendar(days: int) -> tuple[int, int, int]:
    """Return year, month and day of a number of days since 1970, for any year."""
    cycles, rest = divmod(days + _EPOCH_DAY - 1, _CYCLE_DAYS)
    found = date.fromordinal(rest + 1)
    return found.year + cycles * _CYCLE_YEARS, found.month, found.day


def iso_day(days: int) -> str:
    """Print a number of days since 1970 as the date part of JavaScript's ``toISOString``."""
    year, month, day = calendar(days)
    shown = (
        f"{year:04d}"
        if 0 <= year <= _LAST_SHORT_YEAR
        else f"{'-' if year < 0 else '+'}{abs(year):06d}"
    )
    return f"{shown}-{month:02d}-{day:02d}"


def _zone_minutes(zone: str) -> int | None:
    if zone in "Zz":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    if hours > 23 or minutes > 59:
        return None
    return (hours * 60 + minutes) * (1 if zone[0] == "+" else -1)


def _local(millis: float, zone: tzinfo) -> float:
    """Shift a wall-clock time to UTC by the given zone."""
    if zone is UTC:
        return millis
    wall = (_EPOCH + timedelta(milliseconds=millis)).replace(tzinfo=zone)
    return millis - (wall.utcoffset() or timedelta()).total_seconds() * 1000


def _clock_millis(match: re.Match[str]) -> int | None:
    """Return the milliseconds since midnight, or None where JavaScript refuses the time."""
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    fraction = int((match["fraction"] or "0")[:3].ljust(3, "0"))
    if minute > 59 or second > 59 or hour > 24 or (hour == 24 and (minute or second or fraction)):
        return None
    return ((hour * 60 + minute) * 60 + second) * 1000 + fraction


def _parse_iso(match: re.Match[str], local: tzinfo) -> float | None:
    month, day = int(match["month"] or 1), int(match["day"] or 1)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    millis: float = day_number(int(match["year"]), month, day) * DAY_MS
    if match["hour"] is not None:
        clock = _clock_millis(match)
        if clock is None:
            return None
        millis += clock
        if match["zone"] is None:
            millis = _local(millis, local)
        else:
            shift = _zone_minutes(match["zone"])
            if shift is None:
                return None
            millis -= shift * 60_000
    return millis if abs(millis) <= LIMIT_MS else None


def parse_millis(text: str, local: tzinfo = UTC) -> float | None:
    """Return the milliseconds since 1970 of a date text, or None where it is none.

    ``local`` is the zone of times that carry none (dates alone are UTC).
    """
    if match := _ISO.match(text):
        # With a blank, or a bare Z, it is a loose form, in which such years are short for 19xx.
        loose = " " in text or (match["hour"] is None and text.endswith("Z"))
        return None if loose and 0 <= int(match["year"]) < 100 else _parse_iso(match, local)
    if match := _LOOSE.match(text):
        year, month, day = (int(part) for part in match.groups())
    elif match := _NAMED.match(text):
        name = match[1].lower()[:3]
        if name not in _MONTHS:
            return None
        year, month, day = int(match[3]), _MONTHS.index(name) + 1, int(match[2])
    else:
        return None
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return _local(day_number(year, month, day) * DAY_MS, local)


def iso_millis(moment: datetime) -> str:
    """Print an instant as JavaScript's ``toISOString`` does: UTC, milliseconds, ``Z``.

    A datetime without a zone is taken as UTC.
    """
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    utc = aware.astimezone(UTC)
    return f"{utc.year:04d}-{utc:%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"
