"""The search for legacy banks: what is taken, what is skipped and why, and that it leaves no trace."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memlab import Scope
from memlab.mnemopi import find_legacy_banks
from memlab.mnemopi.scoped.legacy import LEGACY_LIMIT
from tests.mnemopi.scoped.places import CWD, PROJECT, add_bank, digests, lay_out


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "banks-of-the-agent")


def reasons(shared: Path) -> dict[str, tuple[bool, str]]:
    found = find_legacy_banks(shared, CWD, [PROJECT])
    return {bank.name: (bank.taken, bank.reason) for bank in found}


def test_every_bank_looked_at_has_its_reason(shared: Path) -> None:
    add_bank(shared, "null", [{"cwd": CWD}, None])
    add_bank(shared, "odd", [{"cwd": CWD}, {"cwd": [CWD]}])
    add_bank(shared, "broken-json", [{"cwd": CWD}, "not json"])
    add_bank(shared, "empty", [])
    (shared.parent / "banks" / "hollow").mkdir()
    (shared.parent / "banks" / "a-file").touch()
    (shared.parent / "banks" / "a-link").symlink_to(shared.parent / "banks" / "old-otter")
    other = shared.parent / "banks" / "no-bank" / "mnemopi.db"
    other.parent.mkdir()
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE notes(x)")
    found = reasons(shared)
    assert {name for name, (taken, _) in found.items() if taken} == {"old-otter"}
    assert found["old-otter"][1] == "names this directory only, in 1 of 1 rows"
    assert found["mixed"][1] == "names another directory in 1 of 2 rows"
    assert found["nocwd"][1] == "names none in 1 of 1 rows"
    assert found["null"][1] == "names none in 1 of 2 rows"
    assert found["odd"][1] == "names another directory in 1 of 2 rows"
    assert "not JSON" in found["broken-json"][1]
    assert "no working memory" in found["empty"][1]
    assert "No bank at" in found["hollow"][1]
    assert "is a text file" in found["corrupt"][1]
    assert found["no-bank"][1] == "is not a Mnemopi bank: it has no working memory"
    assert set(found) & {PROJECT, "a-file", "a-link"} == set()


def test_the_search_stops_after_64_banks(shared: Path) -> None:
    for number in range(70):
        folder = shared.parent / "banks" / f"copy-{number}"
        shutil.copytree(shared.parent / "banks" / "old-otter", folder)
    found = find_legacy_banks(shared, CWD, [PROJECT])
    assert len(found) == 74
    assert all("not looked at" in bank.reason for bank in found[LEGACY_LIMIT:])
    assert not any(bank.taken for bank in found[LEGACY_LIMIT:])
    assert not any("not looked at" in bank.reason for bank in found[:LEGACY_LIMIT])
    order = [entry.name for entry in os.scandir(shared.parent / "banks") if entry.name != PROJECT]
    assert [bank.name for bank in found] == order


def test_a_scope_takes_them_except_under_global(shared: Path) -> None:
    own = Scope.mnemopi(CWD, "per-project", bank="team", path=shared)
    assert own.banks == (PROJECT, "old-otter")
    tagged = Scope.mnemopi(CWD, "per-project-tagged", bank="team", path=shared)
    assert tagged.banks == (PROJECT, "team", "old-otter")
    assert tagged.files["old-otter"] == shared.parent / "banks" / "old-otter" / "mnemopi.db"
    assert {bank.name for bank in tagged.skipped} == {"mixed", "nocwd", "corrupt"}
    roles = dict(tagged.frame()[["bank", "role"]].itertuples(index=False))
    assert roles["old-otter"] == "legacy"
    assert roles["corrupt"] == "skipped"
    assert Scope.mnemopi(CWD, "global", bank="team", path=shared).legacy == ()
    bare = Scope.mnemopi(CWD, "per-project", bank="team", path=shared, legacy=False)
    assert bare.banks == (PROJECT,)


def test_no_folder_of_banks_is_no_legacy_bank(tmp_path: Path) -> None:
    assert find_legacy_banks(tmp_path / "none" / "mnemopi.db", CWD, []) == ()


@pytest.mark.parametrize("state", ["closed", "open", "crashed"])
def test_a_bank_in_wal_mode_is_read_and_left_alone(shared: Path, state: str) -> None:
    """Closed, in use by another process, or left behind with a -wal and no -shm."""
    path = add_bank(shared, "wal", [{"cwd": CWD}])
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    if state != "closed":
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("INSERT INTO working_memory(id, content) VALUES ('new', 'unmarked')")
        writer.commit()
    if state == "crashed":
        left = path.parent.with_name("left")
        shutil.copytree(path.parent, left)
        (left / "mnemopi.db-shm").unlink()
        assert (left / "mnemopi.db-wal").stat().st_size > 0
    if state != "open":
        writer.close()

    def kept() -> dict[str, str]:  # the -shm is where readers and writers of the moment meet
        return {k: v for k, v in digests(shared.parent).items() if not k.endswith("-shm")}

    before, files = kept(), set(digests(shared.parent))
    found = reasons(shared)
    assert kept() == before
    assert set(digests(shared.parent)) == files
    name = "left" if state == "crashed" else "wal"
    assert found[name][0] is (state == "closed")
    if state != "closed":
        assert found[name][1] == "names none in 1 of 2 rows", "what stands in the -wal counts"
    writer.close()
