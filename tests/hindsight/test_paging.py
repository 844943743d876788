"""Lists read to their end, also while somebody writes."""

from __future__ import annotations

import pytest

from memlab.errors import HindsightError, InputError
from memlab.hindsight import Hindsight
from memlab.testing.hindsight import FakeHindsight, Reply, Request


def filled(count: int) -> tuple[FakeHindsight, Hindsight]:
    fake = FakeHindsight()
    for number in range(count):
        fake.add("b", f"Memory {number}.")
    return fake, Hindsight("b", url="http://fake", transport=fake.transport)


@pytest.mark.parametrize("count", [0, 1, 6, 7, 8, 14, 20])
def test_every_row_once(count: int) -> None:
    fake, bank = filled(max(count, 1))
    if not count:
        fake.banks["b"].memories.clear()
    found = bank._all("memories", bank._path("memories", "list"), page=7, progress=False)
    assert [one["text"] for one in found] == [f"Memory {n}." for n in range(count)]
    assert len(fake.requests) == max(1, -(-count // 7))


def test_a_row_that_comes_twice_is_kept_once() -> None:
    """A memory written while the list is read pushes the others down."""
    fake, bank = filled(10)

    def fault(request: Request) -> None:
        if len(fake.requests) == 2:
            rows = fake.banks["b"].memories
            fresh = {"new": {**next(iter(rows.values())), "id": "new", "text": "New."}}
            fake.banks["b"].memories = {**fresh, **rows}

    fake.fault = fault
    found = bank._all("memories", bank._path("memories", "list"), page=5, progress=False)
    assert len({one["id"] for one in found}) == len(found) == 11


def test_a_row_that_goes_missing_makes_it_begin_again() -> None:
    fake, bank = filled(10)

    def fault(request: Request) -> None:
        if len(fake.requests) == 2:
            rows = fake.banks["b"].memories
            rows.pop(next(iter(rows)))

    fake.fault = fault
    found = bank._all("memories", bank._path("memories", "list"), page=5, progress=False)
    assert [one["text"] for one in found] == [f"Memory {n}." for n in range(1, 10)]


def test_a_list_that_never_rests_is_an_error_and_no_short_list() -> None:
    fake, bank = filled(60)

    def fault(request: Request) -> None:
        rows = fake.banks["b"].memories
        rows.pop(next(iter(rows)))

    fake.fault = fault
    with pytest.raises(HindsightError, match="changes while it is read"):
        bank._all("memories", bank._path("memories", "list"), page=5, progress=False)


def test_a_server_that_does_not_tell_the_length() -> None:
    fake, bank = filled(10)

    def fault(request: Request) -> Reply:
        items, _ = fake.banks["b"].answer("GET", ["memories", "list"], request.query, None)
        del items["total"]
        return 200, items, {}

    fake.fault = fault
    for page in (3, 5, 10, 11):
        found = bank._all("memories", bank._path("memories", "list"), page=page, progress=False)
        assert len(found) == 10


@pytest.mark.parametrize("told", [True, False])
def test_rows_without_their_key_are_not_taken_for_one(told: bool) -> None:
    fake, bank = filled(10)

    def fault(request: Request) -> Reply:
        page, _ = fake.banks["b"].answer("GET", ["memories", "list"], request.query, None)
        items = [{"text": one["text"]} for one in page["items"]]
        return 200, {"items": items, **({"total": 10} if told else {})}, {}

    fake.fault = fault
    found = bank._all("memories", bank._path("memories", "list"), page=4, progress=False)
    assert [one["text"] for one in found] == [f"Memory {n}." for n in range(10)]


def test_a_search_that_the_server_cuts_off_is_no_whole_list() -> None:
    """The server gives the first thousand documents of a search, and says so in a flag alone."""
    fake, bank = filled(1)
    items = [{"id": f"d{number}"} for number in range(1000)]
    body = {"items": items, "total": 1000, "total_is_estimate": True}
    fake.fault = lambda request: (200, body, {})
    with pytest.raises(InputError, match=r"more than 1,000 match"):
        bank.documents(q="d", progress=False)
    body["total_is_estimate"] = False
    assert len(bank.documents(q="d", progress=False)) == 1000


def test_a_bar_is_shown_for_more_than_one_page(capsys: pytest.CaptureFixture[str]) -> None:
    _, bank = filled(12)
    where = bank._path("memories", "list")
    bank._all("memories", where, page=20)
    assert capsys.readouterr().err == ""
    bank._all("memories", where, page=5)
    assert "memories" in capsys.readouterr().err
