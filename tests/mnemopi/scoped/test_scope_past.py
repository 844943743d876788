"""The past of a scope: every bank as it was, and the legacy banks of then."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from memlab import Mnemopi, MnemopiScope, PastBank, PastScope, Scope, build_bank
from memlab.errors import InputError, MemoryNotFound, NotABank
from memlab.sample import NOW as TODAY
from memlab.sample import sample_world
from tests.mnemopi.scoped.places import digests

DISPATCH = "/home/mira/work/dispatch"
OWN, LEGACY = "team-dispatch-26o84yz56cokc", "team-work-23i4qqpocmc4x"
QUEUE = "which message queue do assignments go through?"
JAN, MAR = "2026-01-10T00:00:00.000Z", "2026-03-10T00:00:00.000Z"
FEB = "2026-02-15T00:00:00.000Z"


@pytest.fixture(scope="module")
def today() -> MnemopiScope:
    world = sample_world()
    return MnemopiScope(cwd=DISPATCH, mode=world.mode, bank=world.base, path=world.database)


def test_a_memory_written_later_is_not_recalled_earlier(today: MnemopiScope) -> None:
    assert {"dis-003", "dis-015"}.isdisjoint(today.as_of("2026-02-20").recall(QUEUE).ids)
    spring = today.as_of("2026-05-01").recall(QUEUE).ids
    assert "dis-003" in spring, "RabbitMQ, superseded in September, was the truth in May"
    assert "dis-015" not in spring
    autumn = today.as_of("2026-10-01").recall(QUEUE).ids
    assert "dis-015" in autumn
    assert "dis-003" not in autumn


@pytest.mark.parametrize("time", ["2026-02-20", "2026-06-01", "2026-09-23T08:50:00Z"])
def test_nothing_of_later_is_there(today: MnemopiScope, time: str) -> None:
    past = today.as_of(time)
    assert isinstance(past, PastScope)
    rows = [memory.raw for memory in past.memories()]
    assert rows
    assert all(str(row["created_at"]).replace(" ", "T") <= past.time for row in rows)
    for bank, part in past.recall("Redis queue courier parcels release", fallback=False).parts:
        assert part.now == past.time
        alone = Mnemopi(today.scope.files[bank], bank=bank).as_of(time)
        assert part.records == alone.recall(part.query).records


def test_at_the_end_it_is_the_scope_of_today(today: MnemopiScope) -> None:
    past = today.as_of(TODAY)
    assert past.scope == today.scope
    for query in (QUEUE, "courier parcels", "dispatch release notes"):
        got, wanted = past.recall(query), today.recall(query, now=TODAY)
        assert got.records == wanted.records
        assert got.fallback == wanted.fallback


def test_the_notes_name_their_banks(today: MnemopiScope) -> None:
    past = today.as_of("2026-08-01")
    for name in past.scope.banks:
        alone = Mnemopi(today.scope.files[name], bank=name).as_of("2026-08-01")
        assert [f"bank {name}: {note}" for note in alone.notes] == [
            note for note in past.notes if note.startswith(f"bank {name}:")
        ]
        assert past.written_by[name] == alone.written_by
    assert "  note: bank team: " in repr(past)
    assert past.name == f"mnemopi:{OWN} (per-project-tagged) at 2026-08-01T00:00"


def test_a_legacy_bank_is_found_from_its_first_row_on(today: MnemopiScope) -> None:
    before = today.as_of("2026-02-01")
    assert before.scope.banks == (OWN, "team")
    assert LEGACY not in before.scope.files
    assert LEGACY in {bank.name for bank in before.scope.skipped}
    (said,) = (note for note in before.notes if note.startswith(f"bank {LEGACY}"))
    assert "it was none yet, so it is not recalled from" in said
    assert len(before.recall("MariaDB anvil prototype")) == 0
    after = today.as_of("2026-02-20")
    assert after.scope.banks == (OWN, "team", LEGACY)
    assert "in 3 of 3 rows" in next(b.reason for b in after.scope.legacy if b.name == LEGACY)
    assert after.recall("MariaDB anvil prototype").ids[0] == "old-002"


def test_a_bank_that_was_not_there_yet_is_empty(today: MnemopiScope) -> None:
    past = today.as_of("2026-02-20")
    empty = "nothing in it was written by then; it counts as empty"
    assert [note for note in past.notes if empty in note] == [
        f"bank {OWN}: {empty}", f"bank team: {empty}"
    ]  # fmt: skip
    recall = past.recall("dispatch commit messages")
    assert recall.failures == {}
    assert {bank for bank, part in recall.parts if not part.hits} >= {OWN, "team"}
    counts = past.frame().set_index("bank")["working"]
    assert (counts[OWN], counts["team"], counts[LEGACY]) == (0, 0, 3)


class TestLegacy:
    """Banks beside the agent's own, laid out by hand."""

    @pytest.fixture
    def shared(self, tmp_path: Path) -> Path:
        path = tmp_path / "lab" / "mnemopi.db"
        self.bank(path, "old", [(JAN, "/w/ferry"), (MAR, "/w/ferry")])
        self.bank(path, "mixed", [(JAN, "/w/ferry"), (MAR, "/w/other")])
        self.bank(path, "other", [(JAN, "/w/other")])
        return path

    def bank(self, shared: Path, name: str, rows: list[tuple[str, str]]) -> None:
        items: list[dict[str, Any]] = [
            {"text": f"ferry note {n} of {name}", "id": f"{name}-{n}", "time": time,
             "metadata": {"cwd": cwd}}
            for n, (time, cwd) in enumerate(rows)
        ]  # fmt: skip
        build_bank(items, shared.parent / "banks" / name / "mnemopi.db", bank=name, now=MAR)

    def scope(self, shared: Path, **more: Any) -> MnemopiScope:
        return MnemopiScope(cwd="/w/ferry", mode="per-project", bank="team", path=shared, **more)

    def test_one_that_named_the_directory_only_then(self, shared: Path) -> None:
        today = self.scope(shared)
        assert set(today.scope.banks[1:]) == {"old"}
        past = today.as_of(FEB)
        assert set(past.scope.banks[1:]) == {"old", "mixed"}
        assert set(past.recall("ferry note").ids) == {"old-0", "mixed-0"}
        assert past.scope.files["mixed"] == shared.parent / "banks" / "mixed" / "mnemopi.db"
        assert any(
            note.startswith("bank mixed: it named this directory only") for note in past.notes
        )
        assert set(past.scope.banks[1:]) == {b.name for b in past.scope.legacy if b.taken}
        assert set(today.as_of("2026-03-20").scope.banks[1:]) == {"old"}

    def test_it_equals_a_scope_that_never_had_the_rest(self, shared: Path, tmp_path: Path) -> None:
        """Full-text statistics too: the scores are the same to the last digit."""
        early = tmp_path / "early" / "mnemopi.db"
        self.bank(early, "old", [(JAN, "/w/ferry")])
        self.bank(early, "mixed", [(JAN, "/w/ferry")])
        self.bank(early, "other", [(JAN, "/w/other")])
        past, then = self.scope(shared).as_of(FEB), self.scope(early)
        assert set(past.scope.banks) == set(then.scope.banks)
        wanted = then.recall("ferry note of old", now=FEB)
        assert past.recall("ferry note of old").records == wanted.records
        assert len(wanted) == 2

    def test_one_that_cannot_be_opened_stays_a_failure(self, shared: Path) -> None:
        today = self.scope(shared)
        (shared.parent / "banks" / "old" / "mnemopi.db").write_text("this is no bank")
        past = today.refresh().as_of(FEB)
        assert isinstance(past.failures["old"], NotABank)
        assert list(past.recall("ferry").failures) == ["old"]
        (shared.parent / "banks" / "mixed" / "mnemopi.db").write_text("nor is this")
        assert "mixed" not in today.as_of(FEB).scope.banks

    def test_no_file_is_touched_or_made(self, shared: Path) -> None:
        before = digests(shared.parent)
        with self.scope(shared) as today, today.as_of(FEB) as past:
            past.recall("ferry")
            past.memories().frame()
            past.refresh().frame()
        assert digests(shared.parent) == before

    def test_refresh_looks_at_the_files_again(self, shared: Path) -> None:
        past = self.scope(shared).as_of(FEB)
        own = shared.parent / "banks" / "old" / "mnemopi.db"
        shutil.rmtree(own.parent)
        self.bank(shared, "old", [(JAN, "/w/ferry"), (JAN, "/w/ferry"), (MAR, "/w/ferry")])
        assert [memory.id for memory in past.memories()].count("old-1") == 0
        assert {memory.id for memory in past.refresh().memories()} == {"old-0", "old-1", "mixed-0"}
        assert past.time == FEB

    def test_the_column_can_be_chosen(self, shared: Path) -> None:
        today = self.scope(shared)
        assert dict(today.as_of(FEB, by="timestamp").written_by) == {
            "old": "timestamp", "mixed": "timestamp"
        }  # fmt: skip
        with pytest.raises(InputError, match="by='date'"):
            today.as_of(FEB, by="date")  # type: ignore[arg-type]


def test_what_is_asked_of_the_past_is_of_the_past(today: MnemopiScope) -> None:
    past = today.as_of("2026-04-01")
    with pytest.raises(MemoryNotFound, match="'dis-015' in the banks of the scope"):
        past.get("dis-015")
    assert past.lookup("dis-015") is None
    assert today.get("dis-015").id == "dis-015"
    assert past.get("dis-003").state != "superseded"
    assert past.recall(QUEUE).now == past.time
    assert past.recall(QUEUE, now=TODAY).now == TODAY
    earlier = past.as_of("2026-02-01")
    assert earlier.scope.banks == (OWN, "team")
    assert all(isinstance(bank, PastBank) for bank in past.opened.values())


def test_the_embedder_comes_along(tmp_path: Path) -> None:
    def letters(texts: list[str]) -> list[list[float]]:
        return [[1.0, float(len(text))] for text in texts]

    path = tmp_path / "lab" / "mnemopi.db"
    build_bank([{"text": "a tale", "time": JAN}], path, bank="team", embedder=letters, now=JAN)
    scope = Scope.mnemopi("/w", "global", bank="team", path=path)
    past = MnemopiScope(scope, embedder=letters).as_of(FEB, by="timestamp")
    recall = past.recall("no such words")
    assert recall.options["query_vector"] == (1.0, 13.0)
    assert recall.hits[0].scores["vector"] > 0.9


@pytest.mark.parametrize("time", ["soon", ""])
def test_a_time_that_is_none(today: MnemopiScope, time: str) -> None:
    with pytest.raises(InputError, match="is not a time"):
        today.as_of(time)
