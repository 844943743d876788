"""Banks in the agent's layout, made of the golden ones."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from memlab.models.scope.names import project_bank
from tests.golden_data import GOLDEN

__all__ = ["CWD", "NOW", "PROJECT", "add_bank", "digests", "lay_out"]

CWD = "/work/otter-api"
PROJECT = project_bank("team", CWD)
NOW = "2026-03-01T12:00:00.000Z"


def lay_out(folder: Path) -> Path:
    """Copy the golden scope; return the shared database."""
    shutil.copytree(GOLDEN / "scoped", folder, dirs_exist_ok=True)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder / "mnemopi.db"


def add_bank(shared: Path, name: str, metadata: list[object]) -> Path:
    """Lay a bank beside the others, with one working memory per value of its metadata."""
    path = shared.parent / "banks" / name / "mnemopi.db"
    path.parent.mkdir(parents=True)
    shutil.copyfile(GOLDEN / "scoped" / "banks" / "old-otter" / "mnemopi.db", path)
    path.chmod(0o644)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM working_memory")
        db.executemany(
            "INSERT INTO working_memory(id, content, session_id, metadata_json) VALUES (?, ?, ?, ?)",
            [
                (
                    f"{name}-{n}",
                    f"deploy note {n} of {name}",
                    name,
                    value if isinstance(value, str) else json.dumps(value),
                )
                for n, value in enumerate(metadata)
            ],
        )
    return path


def digests(folder: Path) -> dict[str, str]:
    """Every file below a folder with a digest of its bytes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
