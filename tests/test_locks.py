"""One process at a time, and what happens where the system has no locks."""

from __future__ import annotations

import errno
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memlab.locks import exclusive

fcntl = pytest.importorskip("fcntl", reason="this system has no such locks")

HOLD = """
import sys
from pathlib import Path
from memlab.locks import exclusive
with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def held(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_nobody_waits_for_a_free_lock(tmp_path: Path) -> None:
    waits: list[str] = []
    for _ in range(2):
        with exclusive(tmp_path / "x.lock", lambda: waits.append("wait")) as is_real:
            assert is_real
    assert waits == []


def test_another_process_is_waited_for_and_one_that_dies_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with held(path) as process:
        waits: list[str] = []

        def end() -> None:
            waits.append("wait")
            process.kill()

        with exclusive(path, end) as is_real:
            assert is_real
    assert waits == ["wait"]


def test_one_at_a_time_even_where_the_lock_is_removed(tmp_path: Path) -> None:
    """Whoever waited for a removed lock file takes the new one, not the old."""
    path, inside, most = tmp_path / "x.lock", [0], [0]

    def work(_: int) -> None:
        with exclusive(path):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.01)
            path.unlink()
            inside[0] -= 1

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(18)))
    assert most == [1]


def test_without_locks_the_block_runs_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: object, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with exclusive(tmp_path / "x.lock") as first, exclusive(tmp_path / "x.lock") as second:
        assert (first, second) == (False, False)


def test_an_error_in_the_block_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with pytest.raises(ZeroDivisionError), exclusive(path):
        raise ZeroDivisionError
    with exclusive(path, lambda: pytest.fail("it is still held")) as is_real:
        assert is_real
