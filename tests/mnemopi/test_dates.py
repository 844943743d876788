"""The day that a query speaks of, at the very edge between two days."""

from __future__ import annotations

import pytest

from memlab.mnemopi.dates import event_date

NOON = 1_772_366_400_000.0  # 2026-03-01T12:00:00Z
HALF_A_DAY = {"second": 43_200, "minute": 720, "hour": 12}


@pytest.mark.parametrize(("unit", "count"), HALF_A_DAY.items())
def test_a_unit_is_as_long_as_it_is(unit: str, count: int) -> None:
    assert event_date(f"{count} {unit}s ago", NOON) == "2026-03-01"
    assert event_date(f"{count + 1} {unit}s ago", NOON) == "2026-02-28"
    assert event_date(f"in {count - 1} {unit}s", NOON) == "2026-03-01"
    assert event_date(f"in {count} {unit}s", NOON) == "2026-03-02"


@pytest.mark.parametrize(
    ("unit", "back", "ahead"),
    [
        ("day", "2026-02-27", "2026-03-03"),
        ("week", "2026-02-15", "2026-03-15"),
        ("month", "2025-12-31", "2026-04-30"),
        ("year", "2024-03-01", "2028-02-29"),
    ],
)
def test_longer_units_are_days(unit: str, back: str, ahead: str) -> None:
    """A month is 30 days, a year 365, as in the engine."""
    assert event_date(f"2 {unit}s ago", NOON) == back
    assert event_date(f"in 2 {unit}s", NOON) == ahead


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("100-01-01", None),
        ("0100-01-01", "0100-01-01"),
        ("0099-12-31", None),
        ("2026-12-31", "2026-12-31"),
        ("2026-13-01", None),
        ("2026-01-00", None),
        ("2026-02-29", None),
        ("12/11/2025", "2025-12-11"),
        ("13/11/2025", "2025-11-13"),
        ("1/2/99", "2099-01-02"),
        ("1/2/100", "0100-01-02"),
        ("last month", "2026-02-01"),
        ("next month", "2026-04-01"),
        ("next week", "2026-03-08"),
        ("last year", "2025-01-01"),
        ("next sunday", "2026-03-08"),
        ("last sunday", "2026-02-22"),
        ("sunday", "2026-03-01"),
        ("monday", "2026-02-23"),
    ],
)
def test_edges_of_calendars(text: str, found: str | None) -> None:
    assert event_date(text, NOON) == found


def test_a_count_that_no_clock_holds_is_no_day() -> None:
    assert event_date("100000000 days ago", 0.0) == "-271821-04"
    assert event_date("100000001 days ago", 0.0) is None
    assert event_date(f"{2**53} seconds ago", NOON) is None
