"""Nothing the engine is asked about a bank reaches the bank."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memlab.errors import BankNotFound, EngineFailed, InputError, NotABank
from memlab.mnemopi.engine import Engine
from memlab.mnemopi.engine.copies import bank_name

from .conftest import NOW, fill

pytestmark = pytest.mark.engine


def state(path: Path) -> dict[str, str]:
    """Every file of the bank's folder by its hash."""
    files = sorted(path.parent.iterdir())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_recall_never_touches_the_bank(engine: Engine, bank: Path) -> None:
    before = state(bank)
    first = engine.recall(bank, "deploy", now=NOW)
    assert {hit["id"] for hit in first} == {"m1", "m3"}
    assert engine.recall(bank, "deploy", now=NOW) == first
    assert all(hit["recall_count"] == 0 for hit in first)
    assert state(bank) == before


def test_recall_beside_a_writer_sees_what_is_committed(engine: Engine, bank: Path) -> None:
    with closing(sqlite3.connect(bank)) as writer:
        writer.execute("UPDATE working_memory SET content = 'deploy anew' WHERE id = 'm1'")
        writer.commit()
        writer.execute("UPDATE working_memory SET content = 'half done' WHERE id = 'm3'")
        before = state(bank)
        texts = {hit["content"] for hit in engine.recall(bank, "deploy", now=NOW)}
        assert texts == {"deploy anew", "Iris prefers short deploy notes."}
        # Readers take marks in -shm; the data itself is as it was.
        after = state(bank)
        assert [
            before[f"mnemopi.db{end}"] == after[f"mnemopi.db{end}"] for end in ("", "-wal")
        ] == [
            True,
            True,
        ]
        writer.rollback()


def test_isolate_takes_a_copy_and_forgets_it(engine: Engine, bank: Path) -> None:
    before = state(bank)
    hits, counted = engine.call(
        "recall", db=bank, bank="heron", now=NOW, isolate=True, after=True, query="deploy"
    )
    assert counted == {f"working:{hit['id']}": [1, NOW] for hit in hits}
    assert engine.call("forget", db=bank, bank="heron", isolate=True, memoryId="m1") is True
    assert engine.call("get", db=bank, bank="heron", isolate=True, memoryId="m1") is not None
    assert state(bank) == before
    assert not list(engine._conversation().home.glob("copies-*"))


def test_undo_takes_back_what_a_recall_wrote(engine: Engine, bank: Path) -> None:
    asked = {"op": "recallEnhanced", "db": bank, "bank": "heron", "now": NOW, "after": True}
    args = {"args": {"query": "deploy", "topK": 8}}
    undone, again, kept = engine.ask(
        [{**asked, **args, "undo": True}, {**asked, **args, "undo": True}, {**asked, **args}]
    )
    assert undone["result"] == again["result"] == kept["result"]
    assert undone["after"] == again["after"] == kept["after"] != {}
    later = next(engine.ask([{**asked, **args, "undo": True}]))
    assert [hit["recall_count"] for hit in later["result"]] == [1, 1]


def test_isolate_without_a_bank_is_refused(engine: Engine) -> None:
    with pytest.raises(InputError, match="isolate needs a bank"):
        engine.call("tokenize", isolate=True, text="deploy")


def test_what_is_no_bank_is_no_empty_recall(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(BankNotFound):
        engine.recall(tmp_path / "none.db", "deploy")
    text = tmp_path / "notes.txt"
    text.write_text("not a bank")
    with pytest.raises(NotABank):
        engine.recall(text, "deploy")


def test_a_copy_of_a_bank_answers_many_times_and_goes(engine: Engine, bank: Path) -> None:
    with engine.copy_of(bank) as copy:
        assert copy.bank == "heron"
        first = copy.recall("deploy", now=NOW)
        assert first
        assert copy.recall("deploy", now=NOW) == first
        assert [
            hit["id"] for hit in copy.recall("deploy", op="beamRecall", top_k=1, options={})
        ] == ["m1"]
        folder = copy.folder
        assert folder.exists()
    assert not folder.exists()


def test_the_bank_is_named_by_its_folder() -> None:
    assert bank_name(Path("/x/banks/heron/mnemopi.db")) == "heron"
    assert bank_name(Path("/x/mnemopi.db")) == "default"


@pytest.fixture
def scope(engine: Engine, tmp_path: Path) -> dict[str, object]:
    """A project bank beside a shared one, and the config of an agent over both."""
    fill(engine, tmp_path / "memory" / "mnemopi.db", "default")
    fill(engine, tmp_path / "memory" / "banks" / "heron" / "mnemopi.db", "heron")
    return {
        "dbPath": str(tmp_path / "memory" / "mnemopi.db"),
        "bank": "heron",
        "globalBank": "default",
        "retainBank": "heron",
        "recallBanks": ["heron", "default"],
        "scoping": "per-project-tagged",
    }


def test_a_scope_is_recalled_from_copies(engine: Engine, scope: dict[str, object]) -> None:
    shared = Path(str(scope["dbPath"]))
    project = shared.parent / "banks" / "heron" / "mnemopi.db"
    before = state(project), hashlib.sha256(shared.read_bytes()).hexdigest()
    with engine.copy_of_scope(scope) as copy:
        hits = copy.recall("deploy", now=NOW)
        assert sorted(hit["id"] for hit in hits) == ["m1", "m3"]
        assert copy.recall("deploy", now=NOW) == hits
        assert copy.recall_text("deploy", now=NOW)["withIds"].startswith("- ")
        found = copy.get("m2")
        assert found is not None
        assert found["bank"] == "heron"
        assert copy.get("nothing") is None
    isolated = engine.call("scopedRecall", isolate=True, now=NOW, config=scope, query="deploy")
    assert isolated == hits
    assert (state(project), hashlib.sha256(shared.read_bytes()).hexdigest()) == before


def test_a_scope_with_broken_banks(engine: Engine, scope: dict[str, object]) -> None:
    def recall(*names: str) -> set[str]:
        hits = engine.call(
            "scopedRecall", isolate=True, now=NOW, config=scope, query="deploy", breakBanks=names
        )
        return {hit["session_id"] for hit in hits}

    assert recall("heron") == {"default"}
    assert recall("default") == {"heron"}
    with pytest.raises(EngineFailed, match="all scoped targets") as caught:
        recall("heron", "default")
    assert caught.value.name == "AggregateError"
    assert caught.value.errors == (("Error", "broken heron"), ("Error", "broken default"))


def test_a_bank_name_is_no_path(engine: Engine, scope: dict[str, object]) -> None:
    with pytest.raises(InputError, match="not a bank name"):
        engine.copy_of_scope({**scope, "retainBank": "../../elsewhere"})
