"""The past of a bank: which rows were there, what was valid, what can't be known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, build_bank
from memlab.errors import BankReadOnly, InputError
from tests.golden_data import GOLDEN

JAN, FEB, MAR = (f"2026-0{month}-01T00:00:00.000Z" for month in (1, 2, 3))
MID = "2026-02-15T00:00:00.000Z"


@pytest.fixture
def make(tmp_path: Path) -> Any:
    def build(items: list[Any], **options: Any) -> Mnemopi:
        return build_bank(items, tmp_path / "lab.db", bank="lab", now=MAR, **options)

    return build


def _notes(bank: Mnemopi, time: str = MID) -> str:
    return "\n".join(bank.as_of(time).notes)


def test_rows_written_later_are_not_there(make: Any) -> None:
    bank = make(
        [{"text": "ferry one", "id": "a", "time": JAN}, {"text": "ferry two", "id": "b", "time": MAR},
         {"text": "ferry told late", "id": "c", "time": JAN, "created": "2026-03-01 10:00:00"}],
        facts=[{"subject": "ferry", "predicate": "is", "object": "red", "time": MAR}],
    )  # fmt: skip
    past = bank.as_of(MID)
    assert [memory.id for memory in past.memories()] == ["a"]
    assert len(past.facts()) == 0
    assert past.written_by == "created_at"
    assert past.recall("ferry").ids == ("a",)
    assert len(bank.memories()) == 3  # the bank itself is as it was


def test_it_equals_a_bank_that_never_had_them(make: Any, tmp_path: Path) -> None:
    """Full-text statistics too: the scores are the same to the last digit."""
    items = [{"text": f"ferry note {'x ' * (i % 7)}", "id": f"m{i}", "time": JAN if i < 30 else MAR} for i in range(60)]  # fmt: skip
    past = make(items).as_of(MID)
    early = build_bank(items[:30], tmp_path / "early.db", bank="lab", now=MAR)
    assert past.recall("ferry note").records == early.recall("ferry note", now=MID).records


def test_the_clock_stands_there(make: Any) -> None:
    bank = make(
        [{"text": "ferry", "id": "a", "time": JAN, "valid_until": "2026-02-20T00:00:00.000Z"}]
    )
    past = bank.as_of(MID)
    assert next(iter(past.memories())).state == "live"
    assert past.recall("ferry").now == MID
    assert past.recall("ferry", now=MAR).ids == ()
    assert next(iter(bank.as_of("2026-02-25").memories())).state == "expired"


class TestSupersession:
    def test_of_later_is_undone(self, make: Any) -> None:
        bank = make(
            [
                {"text": "ferry old", "id": "a", "time": JAN},
                {"text": "ferry new", "id": "b", "time": MAR},
            ]
        )
        bank.invalidate("a", "b", now="2026-03-02T00:00:00.000Z")
        assert "a" not in bank.recall("ferry", now="2026-03-03T00:00:00Z").ids
        assert bank.as_of(MID).recall("ferry").ids == ("a",)
        assert "1 memory was superseded since" in _notes(bank)

    def test_of_before_stays(self, make: Any) -> None:
        bank = make(
            [
                {"text": "ferry old", "id": "a", "time": JAN},
                {"text": "ferry new", "id": "b", "time": JAN},
            ]
        )
        bank.invalidate("a", "b", now=FEB)
        assert bank.as_of(MID).recall("ferry").ids == ("b",)

    def test_without_a_time(self, make: Any) -> None:
        bank = make(
            [{"text": "ferry 1", "id": "a", "time": JAN, "superseded_by": "late"},
             {"text": "ferry 2", "id": "b", "time": JAN, "superseded_by": "c"},
             {"text": "ferry 3", "id": "c", "time": JAN}, {"text": "ferry 4", "id": "late", "time": MAR}]
        )  # fmt: skip
        # What replaced "a" was not written yet; when "b" was replaced nobody knows.
        assert set(bank.as_of(MID).recall("ferry").ids) == {"a", "c"}
        assert "1 memory is superseded without a time; it is left so" in _notes(bank)


def test_what_was_said_again(make: Any) -> None:
    bank = make([{"text": "ferry", "id": "a", "time": JAN}])
    bank.retain(["ferry"], now=MAR)
    assert bank.get("a").raw["timestamp"] == MAR
    assert bank.as_of(MID).get("a").raw["timestamp"] == JAN
    assert "1 memory was said again since" in _notes(bank)


def test_vectors_of_later(make: Any) -> None:
    bank = make([{"text": "ferry", "id": "a", "time": JAN, "vector": [1, 0]}])
    rows = bank.snapshot.rows("SELECT created_at FROM memory_embeddings")
    assert rows[0]["created_at"] > MAR  # the real clock: made now
    assert bank.as_of(MID).recall("ferry", query_vector=[1.0, 0.0])[0].scores["vector"] == 0
    assert "1 vector was made later" in _notes(bank)


def test_traces_of_what_is_gone(make: Any) -> None:
    bank = make(
        [{"text": "one", "id": "a", "time": JAN}, {"text": "two", "id": "b", "time": JAN},
         {"text": "sum", "id": "s", "tier": "episodic", "summary_of": ["a", "b"], "time": FEB},
         {"text": "three", "id": "c", "time": JAN}],
        facts=[{"subject": "x", "predicate": "is", "object": "y", "memory": "vanished", "time": JAN}],
    )  # fmt: skip
    bank.forget("a")
    notes = _notes(bank)
    assert "1 memory is named by a summary and no longer there" in notes
    assert "1 facts come from memories that are no longer there" in notes
    assert "1 row number is free" in notes


def test_heron_was_shortened_since() -> None:
    past = Mnemopi(GOLDEN / "heron.db").as_of("2025-12-24")
    assert any("summaries were shortened since" in note for note in past.notes)
    assert past.written_by == "timestamp"
    assert any("inserted in one go" in note for note in past.notes)
    assert all(str(m.raw["timestamp"]) < "2025-12-24" for m in past.memories())


def test_rows_without_a_time_are_kept_and_said(make: Any) -> None:
    bank = make([{"text": "ferry", "id": "a", "time": "one day", "created": "who knows"}])
    past = bank.as_of(MID)
    assert "1 memory has no readable time; it is kept" in past.notes
    assert past.recall("ferry").ids == ("a",)


def test_the_column_can_be_chosen(make: Any) -> None:
    bank = make([{"text": "ferry", "id": "a", "time": JAN, "created": "2026-03-01 00:00:00"},
                 {"text": "boat", "id": "b", "time": MAR}])  # fmt: skip
    assert len(bank.as_of(MID, by="created_at").memories()) == 0
    assert len(bank.as_of(MID, by="timestamp").memories()) == 1
    with pytest.raises(InputError, match="by='date'"):
        bank.as_of(MID, by="date")  # type: ignore[arg-type]


def test_the_past_is_read_only_and_can_be_copied(make: Any, tmp_path: Path) -> None:
    bank = make(
        [{"text": "ferry", "id": "a", "time": JAN}, {"text": "boat", "id": "b", "time": MAR}]
    )
    past = bank.as_of(MID)
    for write in (lambda: past.forget("a"), lambda: past.recall("x", count=True)):
        with pytest.raises(BankReadOnly):
            write()
    assert [m.id for m in past.copy(tmp_path / "then.db").memories()] == ["a"]
    bank.retain(["new"], now=MAR)
    assert [m.id for m in past.refresh().memories()] == ["a"]
    assert past.recall("ferry").explain("a").found


@pytest.mark.parametrize("time", ["soon", "2026-13-01", ""])
def test_a_time_that_is_none(make: Any, time: str) -> None:
    with pytest.raises(InputError, match="is not a time"):
        make(["x"]).as_of(time)
