"""The banks of a scope as one backend: what is missing, what fails, what stays untouched."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from memlab import Backend, MnemopiScope, Scope, Settings
from memlab.errors import (
    AllBanksFailed,
    BankError,
    InputError,
    MemoryNotFound,
    NotABank,
    RecallError,
    UnknownOption,
)
from tests.mnemopi.scoped.places import CWD, NOW, PROJECT, add_bank, digests, lay_out


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "agent")


def tagged(shared: Path, **more: Any) -> MnemopiScope:
    return MnemopiScope(cwd=CWD, mode="per-project-tagged", bank="team", path=shared, **more)


def test_it_is_a_backend(shared: Path) -> None:
    with tagged(shared) as backend:
        assert isinstance(backend, Backend)
        assert backend.name == f"mnemopi:{PROJECT} (per-project-tagged)"
        assert PROJECT in repr(backend)


def test_hits_say_where_they_come_from(shared: Path) -> None:
    recall = tagged(shared).recall("deploy", now=NOW)
    assert {hit.bank for hit in recall.hits} == {PROJECT, "team", "old-otter"}
    assert [bank for bank, _ in recall.parts] == [PROJECT, "team", "old-otter"]
    frame = recall.frame()
    assert list(frame.columns[:4]) == ["rank", "bank", "way", "id"]
    assert list(frame["rank"]) == list(range(1, len(recall) + 1))
    assert recall.scope is not None
    assert recall.scope.cwd == CWD
    assert all(hit.raw["session_id"] == hit.bank for hit in recall if hit.tier != "fact")


def test_the_fallback_is_a_second_part_of_the_shared_bank(shared: Path) -> None:
    backend = tagged(shared)
    recall = backend.recall("otter api commit messages", now=NOW)
    assert recall.fallback == "commit messages"
    assert [bank for bank, _ in recall.parts] == [PROJECT, "team", "team", "old-otter"]
    assert [part.query for _, part in recall.parts][1:3] == [recall.query, "commit messages"]
    without = backend.recall("otter api commit messages", now=NOW, fallback=False)
    assert without.fallback is None
    assert without.options["fallback"] is False
    assert len(without.parts) == 3


def test_the_second_call_sees_the_counts_of_the_first(shared: Path) -> None:
    recall = tagged(shared).recall("otter api commit messages", now=NOW)
    first, second = (part for bank, part in recall.parts if bank == "team")
    both = set(first.ids) & set(second.ids)
    assert both
    for key in both:
        before, after = (next(h.raw for h in part if h.id == key) for part in (first, second))
        assert (before["recall_count"], before["last_recalled"]) == (0, None)
        assert (after["recall_count"], after["last_recalled"]) == (1, NOW)


def test_only_the_banks_of_the_scope_are_opened_and_none_is_changed(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under per-project the shared bank was opened, counted and cleared too."""
    before = digests(shared.parent)
    opened: list[Path] = []
    real = Path.open

    def watch(path: Path, *args: Any, **kwargs: Any) -> Any:
        opened.append(path)
        return real(path, *args, **kwargs)

    for mode, allowed in (
        ("global", {"team"}),
        ("per-project", {PROJECT, "old-otter"}),
        ("per-project-tagged", {PROJECT, "team", "old-otter"}),
    ):
        scope = Scope.mnemopi(CWD, mode, bank="team", path=shared)  # type: ignore[arg-type]
        opened.clear()
        monkeypatch.setattr(Path, "open", watch)
        backend = MnemopiScope(scope)
        monkeypatch.undo()
        backend.recall("otter api deploy", now=NOW)
        backend.memories(now=NOW).frame()
        backend.frame()
        backend.close()
        assert set(opened) == {scope.files[name] for name in allowed}
        assert set(scope.banks) == allowed
    assert digests(shared.parent) == before


def test_banks_that_are_not_there_are_empty_and_stay_so(tmp_path: Path) -> None:
    path = tmp_path / "none" / "mnemopi.db"
    backend = tagged(path)
    recall = backend.recall("deploy", now=NOW)
    assert (len(recall), recall.outcome, recall.failures) == (0, "empty", {})
    assert recall.text == "No relevant memories found."
    assert (recall.block, recall.context()) == ("", "")
    assert [note.split(" counts")[0] for note in recall.notes] == [
        f"bank {PROJECT} does not exist yet and",
        "bank team does not exist yet and",
    ]
    assert len(backend.memories()) == 0
    assert list(backend.frame()["exists"]) == [False, False]
    assert not list(tmp_path.iterdir()), "something was made"


def test_a_bank_that_cannot_be_opened_is_a_failure_beside_the_hits(shared: Path) -> None:
    shared.write_text("this is no bank")
    backend = tagged(shared)
    recall = backend.recall("deploy", now=NOW)
    assert len(recall) > 0
    assert list(recall.failures) == ["team"]
    assert isinstance(recall.failures["team"], NotABank)
    assert "bank team failed" in repr(recall)
    assert "<p>bank team failed" in recall._repr_html_()
    assert list(backend.failures) == ["team"]
    problems = backend.frame().set_index("bank")["problem"]
    assert "is a text file" in problems["team"]
    with pytest.raises(NotABank):
        backend.memories()
    none = backend.recall("zzzz", now=NOW)
    assert len(none) == 0
    assert none.outcome == "unavailable", "a failure is never taken for no memories"


def test_where_all_fail_one_error_carries_all(shared: Path) -> None:
    shared.write_text("this is no bank")
    own = shared.parent / "banks" / PROJECT / "mnemopi.db"
    own.write_bytes(b"\xff" * 4096)
    backend = MnemopiScope(
        Scope.mnemopi(CWD, "per-project-tagged", bank="team", path=shared, legacy=False)
    )
    with pytest.raises(AllBanksFailed) as caught:
        backend.recall("deploy", now=NOW)
    assert isinstance(caught.value, RecallError)
    assert list(caught.value.failures) == [PROJECT, "team"]
    assert all(isinstance(error, BankError) for error in caught.value.failures.values())
    assert "team: " in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert list(again.failures) == [PROJECT, "team"]


def test_a_legacy_bank_whose_name_the_agent_refuses(shared: Path) -> None:
    add_bank(shared, "old bank", [{"cwd": CWD}])
    backend = tagged(shared)
    assert "old bank" in backend.scope.banks
    recall = backend.recall("deploy", now=NOW)
    assert "refuses 'old bank' as the name of a bank" in str(recall.failures["old bank"])
    assert len(recall) > 0


def test_a_legacy_bank_called_default_means_the_file_beside(shared: Path) -> None:
    """The engine keeps the bank "default" in the folder above; so its own file is never read."""
    add_bank(shared, "default", [{"cwd": CWD}])
    scope = Scope.mnemopi(CWD, "per-project", bank="team", path=shared)
    assert scope.banks[-1] == "default" or "default" in scope.banks
    assert scope.files["default"] == shared


def test_the_limit_is_the_settings_and_cuts_the_whole(shared: Path) -> None:
    settings = Settings.load(mnemopi={"recall_limit": 2})
    backend = tagged(shared, settings=settings)
    recall = backend.recall("deploy", now=NOW)
    assert len(recall) == 2
    assert recall.options["limit"] == 2
    assert len(recall.pool) > 2
    assert [hit.rank for hit in recall.pool] == list(range(1, len(recall.pool) + 1))
    assert len(backend.recall("deploy", now=NOW, limit=3.7)) == 3
    with pytest.raises(InputError, match="at least 1"):
        backend.recall("deploy", limit=0)


def test_what_cannot_be_asked(shared: Path) -> None:
    backend = tagged(shared)
    with pytest.raises(UnknownOption, match="limit"):
        backend.recall("deploy", limits=3)
    with pytest.raises(InputError, match="A query is text"):
        backend.recall(None)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        backend.recall("deploy", query_time="soon")


def test_a_vector_fits_one_query(shared: Path) -> None:
    backend = tagged(shared)
    question = "otter api commit messages"
    recall = backend.recall(question, now=NOW, query_vector=(0.1, 0.2))
    assert any("fallback_vector" in note for note in recall.notes)
    vectors = [part.options["query_vector"] for _, part in recall.parts]
    assert vectors == [(0.1, 0.2), (0.1, 0.2), None, (0.1, 0.2)]
    both = backend.recall(question, now=NOW, query_vector=(0.1, 0.2), fallback_vector=(0.3, 0.4))
    assert both.parts[2][1].options["query_vector"] == (0.3, 0.4)
    assert not any("fallback_vector" in note for note in both.notes)


def test_look_ups(shared: Path) -> None:
    backend = tagged(shared)
    assert backend.get("s0005").session == "team"
    found = backend.lookup("9979809f720347d4")
    assert found is not None
    assert (found["bank"], found["store"]) == (PROJECT, "fact")
    assert backend.lookup("nope") is None
    with pytest.raises(MemoryNotFound, match="No memory 'nope' in the banks of the scope"):
        backend.get("nope")


def test_memories_say_their_bank(shared: Path) -> None:
    frame = tagged(shared).memories(now=NOW).frame()
    assert list(frame.columns[:2]) == ["bank", "id"]
    assert set(frame["bank"]) == {PROJECT, "team", "old-otter"}
    assert (frame["bank"] == frame["session"]).all()


def test_it_sees_what_is_new_after_a_refresh(shared: Path) -> None:
    scope = Scope.mnemopi("/work/new", "per-project", bank="team", path=shared)
    backend = MnemopiScope(scope)
    assert len(backend.memories()) == 0
    add_bank(shared, scope.bank, [{"cwd": "/work/new"}])
    assert len(backend.memories()) == 0
    assert len(backend.refresh().memories()) == 1


def test_a_scope_or_its_parts(shared: Path) -> None:
    scope = Scope.mnemopi(CWD, bank="team", path=shared)
    with pytest.raises(InputError, match="not both"):
        MnemopiScope(scope, mode="global")
    with pytest.raises(InputError, match="no Mnemopi banks"):
        MnemopiScope(Scope.hindsight(CWD))
