"""Dates as JavaScript reads and prints them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.text.dates import DAY_MS, calendar, day_number, iso_day, iso_millis, parse_millis

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
moments = st.builds(
    lambda seconds, millis: EPOCH + timedelta(seconds=seconds, milliseconds=millis),
    st.integers(-59_000_000_000, 253_000_000_000),
    st.integers(0, 999),
)


@given(moments)
def test_what_is_printed_is_read_back(moment: datetime) -> None:
    assert parse_millis(iso_millis(moment)) == (moment - EPOCH) / timedelta(milliseconds=1)


@given(moments, st.integers(-23, 23), st.sampled_from([0, 30, 59]))
def test_zones(moment: datetime, hours: int, minutes: int) -> None:
    zone = timezone(timedelta(hours=hours, minutes=minutes if hours >= 0 else -minutes))
    if datetime.max.replace(tzinfo=UTC) - moment > timedelta(days=2):
        there = moment.astimezone(zone).isoformat(timespec="milliseconds")
        assert parse_millis(there) == parse_millis(there.replace(":", "", 0))
        assert parse_millis(there) == parse_millis(iso_millis(moment))
        assert iso_millis(moment.astimezone(zone)) == iso_millis(moment)


@given(st.dates())
def test_day_numbers_are_pythons(day: date) -> None:
    number = day_number(day.year, day.month, day.day)
    assert number == day.toordinal() - date(1970, 1, 1).toordinal()
    assert calendar(number) == (day.year, day.month, day.day)
    assert iso_day(number) == day.isoformat()
    assert parse_millis(day.isoformat()) == number * DAY_MS


@given(st.integers(-90_000_000, 90_000_000))
def test_any_day_has_a_date(days: int) -> None:
    assert day_number(*calendar(days)) == days
    assert parse_millis(iso_day(days)) == days * DAY_MS


def test_long_years() -> None:
    assert iso_day(day_number(10020, 11, 5)) == "+010020-11-05"
    assert iso_day(day_number(-1, 3, 4)) == "-000001-03-04"
    assert parse_millis("-000000-01-01") is None


@pytest.mark.parametrize(
    "text",
    [
        "", " 2026-01-01", "2026-01-01 ", "2026-01-01T12", "2026-01-01T12:60Z", "2026-13-01",
        "2026-01-32", "2026-01-01T24:00:01Z", "2026-01-01T10:00:00,5Z", "2026-01-01T10:00+24:00",
        "abc", "99999", "2026-01-01T10:00:60Z", "Smarch 1, 2026", "+275760-09-14",
    ],
)  # fmt: skip
def test_refused(text: str) -> None:
    assert parse_millis(text) is None


def test_days_roll_over_and_fractions_are_cut() -> None:
    assert parse_millis("2026-02-30") == parse_millis("2026-03-02")
    assert parse_millis("2026-01-01T00:00:00.9999Z") == parse_millis("2026-01-01T00:00:00.999Z")
    assert parse_millis("2026-01-01Z") == parse_millis("2026-01-01")


def test_times_without_a_zone_are_local() -> None:
    tokyo = timezone(timedelta(hours=9))
    assert parse_millis("2026-01-01T09:00", tokyo) == parse_millis("2026-01-01T00:00Z")
    assert parse_millis("2026-01-01", tokyo) == parse_millis("2026-01-01T00:00Z")
    assert parse_millis("March 1, 2026", tokyo) == parse_millis("2026-02-28T15:00Z")


@given(st.text(max_size=30))
def test_never_fails(text: str) -> None:
    found = parse_millis(text)
    assert found is None or abs(found) <= 8.64e15
