"""Whatever is not a readable bank gives a clear error of memlab's tree, and nothing is written."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memlab import Mnemopi
from memlab.errors import (
    BankDamaged,
    BankEncrypted,
    BankError,
    BankLocked,
    BankNotFound,
    BankUnreadable,
    NotABank,
)
from tests.golden_data import GOLDEN
from tests.mnemopi.holding import LOCKED, held


def _tree(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def bank_file(tmp_path: Path) -> Path:
    path = tmp_path / "bank.db"
    shutil.copyfile(GOLDEN / "heron.db", path)
    return path


def _nothing(path: Path) -> None:
    path.unlink()


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _text(path: Path) -> None:
    path.write_text("dear diary, today I remembered nothing — ünïcode\n", "utf-8")


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _noise(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(40_000))


def _half_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:60])


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 4096 * 9 + 100])


def _corrupt(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 : 4096 * 40] = b"\xff" * (4096 * 39)
    path.write_bytes(bytes(data))


def _other_tables(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE recipes (name TEXT)")


def _no_utf8(path: Path) -> None:
    """Damage the schema where SQLite quotes it in its message, with bytes that are no UTF-8."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA writable_schema = 1")
        db.execute(
            "UPDATE sqlite_master SET sql = CAST(x'ff43524541544520' AS TEXT)"
            " WHERE name = 'working_memory'"
        )


def _views(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("ALTER TABLE working_memory RENAME TO elsewhere")
        db.execute("CREATE VIEW working_memory AS SELECT * FROM elsewhere")


def _no_key(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE facts")
        db.execute("CREATE TABLE facts (name TEXT)")


def _no_rowid(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE facts")
        db.execute("CREATE TABLE facts (fact_id TEXT PRIMARY KEY) WITHOUT ROWID")


BROKEN: list[tuple[Callable[[Path], None], type[BankError], str]] = [
    (_nothing, BankNotFound, "No bank at"),
    (_directory, NotABank, "is a directory"),
    (_text, NotABank, "is a text file"),
    (_empty, NotABank, "is an empty file"),
    (_noise, BankEncrypted, "encrypted"),
    (_half_header, BankDamaged, "ends inside its header"),
    (_truncated, BankDamaged, "recover"),
    (_corrupt, BankDamaged, "recover"),
    (_other_tables, NotABank, "recipes"),
    (_no_utf8, BankDamaged, "recover"),
    (_views, NotABank, "but they are others"),
    (_no_key, NotABank, "but they are others"),
    (_no_rowid, NotABank, "but they are others"),
]


@pytest.mark.parametrize(
    ("breaking", "kind", "words"), BROKEN, ids=lambda x: getattr(x, "__name__", "")
)
def test_broken(
    bank_file: Path, breaking: Callable[[Path], None], kind: type[BankError], words: str
) -> None:
    breaking(bank_file)
    before = _tree(bank_file.parent)
    with pytest.raises(kind) as caught:
        Mnemopi(bank_file)
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)
    assert words in str(caught.value)
    assert str(bank_file) in str(caught.value)
    assert _tree(bank_file.parent) == before


@pytest.mark.parametrize("path", ["", ".", "/"])
def test_a_path_without_a_name_is_a_directory(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotABank, match="is a directory"):
        Mnemopi(path)


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000 + "x"])
def test_a_path_that_the_system_refuses(name: str, tmp_path: Path) -> None:
    with pytest.raises(BankUnreadable, match="Cannot read"):
        Mnemopi(tmp_path / name)


def test_damage_that_shows_only_later_is_said(bank_file: Path) -> None:
    """Any byte may be wrong: the bank opens and answers, or says in its own words what is wrong."""
    data, rng = bank_file.read_bytes(), random.Random(11)
    said = 0
    for _ in range(60):
        broken = bytearray(data)
        for _ in range(40):
            place = rng.randrange(100, len(broken))
            broken[place] = rng.randrange(128, 256) if 97 <= broken[place] <= 122 else broken[place]
        bank_file.write_bytes(broken)
        try:
            with Mnemopi(bank_file) as bank:
                bank.memories().frame()
                bank.facts().frame()
                bank.recall("deploy server", now="2026-03-01T12:00:00Z").frame()
        except BankError as error:
            said += "recover" in str(error)
    assert said


def test_a_near_name_is_offered(bank_file: Path) -> None:
    with pytest.raises(BankNotFound, match=r"Did you mean .*bank\.db\?"):
        Mnemopi(bank_file.with_name("bnak.db"))


def test_a_folder_with_a_bank_names_it(tmp_path: Path) -> None:
    shutil.copyfile(GOLDEN / "heron.db", tmp_path / "mnemopi.db")
    with pytest.raises(NotABank, match=r"Did you mean .*mnemopi\.db\?"):
        Mnemopi(tmp_path)


@pytest.fixture
def locked(bank_file: Path) -> Iterator[Path]:
    """A bank that another process keeps locked."""
    with held(bank_file, LOCKED):
        yield bank_file


def test_locked(locked: Path) -> None:
    with pytest.raises(BankLocked, match="wait=30"):
        Mnemopi(locked, wait=0.1)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may read all")
def test_no_permission(bank_file: Path) -> None:
    bank_file.chmod(0)
    with pytest.raises(BankUnreadable, match="No permission"):
        Mnemopi(bank_file)


def test_a_journal_left_by_a_crash_is_said(bank_file: Path) -> None:
    """A hot journal cannot be rolled back without writing, so it is an error, not old data."""
    with closing(sqlite3.connect(bank_file)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE working_memory SET content = content || ' changed'")
        db.execute("UPDATE episodic_memory SET content = content || ' changed'")
        journal = bank_file.with_name("bank.db-journal").read_bytes()
        data = bank_file.read_bytes()
        db.rollback()
    crashed = bank_file.parent / "crashed"
    crashed.mkdir()
    (crashed / "bank.db").write_bytes(data)
    (crashed / "bank.db-journal").write_bytes(journal)
    before = _tree(crashed)
    with pytest.raises(BankUnreadable, match="journal"):
        Mnemopi(crashed / "bank.db")
    assert _tree(crashed) == before
