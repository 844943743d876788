"""A bank that another process has open, as the agent has it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["IN_USE", "LOCKED", "held"]

IN_USE = ("PRAGMA journal_mode = WAL", "SELECT count(*) FROM working_memory")
"""Open and idle, in WAL mode."""
LOCKED = ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE")
"""In the middle of a write."""

_HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    db.execute(statement).fetchone()
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(path: Path, statements: tuple[str, ...]) -> Iterator[Path]:
    """The path, while another process keeps it open after some statements."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path), *statements],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            yield path
        finally:
            process.stdin.close()
