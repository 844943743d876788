"""The search for legacy banks against the agent's own, over folders full of random banks."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memlab.mnemopi import find_legacy_banks
from tests.golden_data import GOLDEN
from tests.parity.engine import engine

pytestmark = pytest.mark.engine
CWDS = ("/work/otter-api", "/work/badger", "/srv/データ", '/srv/it\'s "x"')
ODD = (
    None, "{}", "[]", "null", '"/work/badger"', "", "no json", '{"cwd": null}', '{"cwd": 7}',
    '{"cwd": ["/work/badger"]}', '{"cwd": {"cwd": "/work/badger"}}', '{"CWD": "/work/badger"}',
    '{"cwd": "/work/badger/"}', '{"cwd": "/work/badger", "cwd": "/else"}',
    '{"cwd": "/else", "cwd": "/work/badger"}', '{"cwd":"\\u002fwork/badger"}',
)  # fmt: skip


def _bank(path: Path, rng: random.Random) -> None:
    """A bank of one directory, or nearly."""
    path.parent.mkdir()
    kind = rng.random()
    if kind < 0.06:
        return
    if kind < 0.14:
        path.write_bytes(rng.choice([b"", b"text", b"SQLite format 3\0", b"\xff" * 5000]))
        return
    shutil.copyfile(GOLDEN / "scoped" / "banks" / "old-otter" / "mnemopi.db", path)
    path.chmod(0o644)
    cwd = rng.choice(CWDS)
    rows = [json.dumps({"cwd": cwd}, ensure_ascii=rng.random() < 0.5)] * rng.randint(0, 6)
    if rng.random() < 0.3:
        rows.insert(rng.randint(0, len(rows)), rng.choice(ODD))  # type: ignore[arg-type]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM working_memory")
        db.executemany(
            "INSERT INTO working_memory(id, content, metadata_json, superseded_by) VALUES (?, 'x', ?, ?)",
            [(str(n), row, rng.choice([None, "other"])) for n, row in enumerate(rows)],
        )


@pytest.mark.parametrize("banks", [20, 90])
def test_the_same_banks_in_the_same_order(banks: int, seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"legacy {banks} {seed}")
    (tmp_path / "banks").mkdir()
    names = [f"{rng.choice('abcxyz')}-{rng.randrange(16**6):06x}" for _ in range(banks)]
    for name in names:
        _bank(tmp_path / "banks" / name / "mnemopi.db", rng)
    (tmp_path / "banks" / "a-file").touch()
    (tmp_path / "banks" / "a-link").symlink_to(tmp_path / "banks" / names[0])
    shared = tmp_path / "mnemopi.db"
    taken = 0
    for cwd in CWDS:
        known = ["elsewhere", *rng.sample(names, 2)]
        args = {"resolved": known, "dbPath": str(shared), "cwd": cwd}
        real = engine().call("legacyBanks", **args)
        found = [bank.name for bank in find_legacy_banks(shared, cwd, known) if bank.taken]
        assert [*known, *found] == real, cwd
        taken += len(found)
    assert taken > 3
