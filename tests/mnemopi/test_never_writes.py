"""Looking at a bank changes nothing: not its file, not its -wal, not its folder, no transaction."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from memlab import Mnemopi
from memlab.errors import BankReadOnly
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _tables(path: Path) -> dict[str, str]:
    """A digest of the content of every table, read by a connection of its own."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        names = [
            row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {
            name: hashlib.sha256(
                repr(list(db.execute(f'SELECT * FROM "{name}"'))).encode()
            ).hexdigest()
            for name in names
        }


def _everything(path: Path) -> None:
    with Mnemopi(path) as bank:
        bank.memories(now=NOW).frame()
        bank.facts().frame()
        bank.info(now=NOW)
        bank.get("h0001")
        bank.lookup("h0001")
        bank.standing_context(now=NOW)
        recall = bank.recall("deploy", now=NOW)
        assert len(recall) == 8
        assert recall.text
        assert recall.block
        assert recall.context()
        bank.recall("deploy", now=NOW, mode="facts")
        bank.refresh()


@pytest.fixture
def rollback_bank(tmp_path: Path) -> Path:
    path = tmp_path / "mnemopi.db"
    shutil.copyfile(GOLDEN / "heron.db", path)
    return path


@pytest.fixture
def wal_bank(rollback_bank: Path) -> Path:
    with closing(sqlite3.connect(rollback_bank)) as db:
        assert db.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    assert [entry.name for entry in rollback_bank.parent.iterdir()] == ["mnemopi.db"]
    return rollback_bank


def _check_unchanged(path: Path, look: Callable[[Path], None]) -> None:
    names = sorted(entry.name for entry in path.parent.iterdir())
    files = {name: _digest(path.parent / name) for name in names if not name.endswith("-shm")}
    look(path)
    assert sorted(entry.name for entry in path.parent.iterdir()) == names
    assert {name: _digest(path.parent / name) for name in files} == files


def test_rollback_journal(rollback_bank: Path) -> None:
    _check_unchanged(rollback_bank, _everything)


def test_wal_at_rest(wal_bank: Path) -> None:
    """Even a read-only connection would leave -wal and -shm files here."""
    _check_unchanged(wal_bank, _everything)


def test_wal_left_by_a_crash(wal_bank: Path, tmp_path: Path) -> None:
    """What is only in the -wal is read, and the files stay as they are."""
    crashed = tmp_path / "crashed" / "mnemopi.db"
    crashed.parent.mkdir()
    with closing(sqlite3.connect(wal_bank)) as db:
        db.execute("UPDATE working_memory SET content = 'only in the log' WHERE id = 'h0001'")
        db.commit()
        shutil.copyfile(wal_bank, crashed)
        shutil.copyfile(f"{wal_bank}-wal", f"{crashed}-wal")
    _check_unchanged(crashed, _everything)
    assert Mnemopi(crashed).get("h0001").text == "only in the log"


def test_live_writer(wal_bank: Path) -> None:
    """Beside a process that writes: the copy is of one moment, and holds nothing back."""
    with closing(sqlite3.connect(wal_bank, isolation_level=None)) as agent:
        agent.execute("UPDATE working_memory SET content = 'first' WHERE id = 'h0001'")
        before = _tables(wal_bank)
        _check_unchanged(wal_bank, _everything)
        assert _tables(wal_bank) == before

        bank = Mnemopi(wal_bank)
        agent.execute("BEGIN IMMEDIATE")
        agent.execute("UPDATE working_memory SET content = 'second' WHERE id = 'h0001'")
        during = Mnemopi(wal_bank)
        agent.execute("COMMIT")

        assert bank.get("h0001").text == "first"
        assert during.get("h0001").text == "first"
        assert bank.is_stale
        assert bank.refresh().get("h0001").text == "second"
        assert not bank.is_stale
        # A reader left behind would make the checkpoint "busy" and keep the log from being reset.
        busy, _, _ = agent.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert busy == 0
        assert wal_bank.with_name("mnemopi.db-wal").stat().st_size == 0


def test_read_only_folder(wal_bank: Path) -> None:
    wal_bank.chmod(0o444)
    wal_bank.parent.chmod(0o555)
    try:
        _check_unchanged(wal_bank, _everything)
    finally:
        wal_bank.parent.chmod(0o755)


def test_names_that_a_url_would_misread(tmp_path: Path) -> None:
    path = tmp_path / "a b?mode=rw#%41 é.db"
    shutil.copyfile(GOLDEN / "heron.db", path)
    _check_unchanged(path, _everything)


def test_counting_needs_a_writable_bank(rollback_bank: Path) -> None:
    with pytest.raises(BankReadOnly, match="writable=True"):
        Mnemopi(rollback_bank).recall("deploy", count=True)


def test_the_agents_own_bank_is_not_opened_for_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "memories" / "mnemopi"
    (own / "banks" / "p-1").mkdir(parents=True)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path))
    for path in (own / "mnemopi.db", own / "banks" / "p-1" / "mnemopi.db"):
        shutil.copyfile(GOLDEN / "heron.db", path)
        with pytest.raises(BankReadOnly, match="agent's own"):
            Mnemopi(path, writable=True)
    assert Mnemopi().path == own / "mnemopi.db"
