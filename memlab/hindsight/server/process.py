"""Start, watch and end the server's process."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from .places import Environment

__all__ = ["GRACE", "end", "launch", "lives", "start_time", "tail"]

_ENTRY = "from hindsight_api.main import main; main()"
GRACE = 30.0


def launch(
    environment: Environment,
    folder: Path,
    log: Path,
    env: Mapping[str, str],
    handles: Sequence[int] = (),
) -> int:
    """Start the server apart from this process; return its process id.

    It inherits ``handles``.

    It starts in an empty folder of its own: a ``.env`` file in or above its
    folder would win over the environment it is given.
    """
    home = folder / "home"
    home.mkdir(exist_ok=True)
    (home / ".env").touch()  # an empty one here keeps those above from being read
    with log.open("ab") as out:
        running = subprocess.Popen(
            [str(environment.python), "-c", _ENTRY],
            cwd=home,
            env={**env, "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=handles,
        )
    _ours[running.pid] = running
    return running.pid


# Children of this process, to be reaped when they end.
_ours: dict[int, subprocess.Popen[bytes]] = {}


def start_time(pid: int) -> str:
    """Return when a process started, to tell it from a later one of its number; empty if it ended.

    The time zone, the language and the clock of the machine have no part in it.
    """
    if Path("/proc/self/stat").exists():
        return _ticks(pid)
    plain = {**os.environ, "TZ": "UTC", "LC_ALL": "C"}
    command = ["ps", "-o", "lstart=", "-p", str(pid)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=plain)
    except OSError:
        return ""
    return " ".join(done.stdout.split())


def _ticks(pid: int) -> str:
    """Return the start of the machine and, since then, of the process, as Linux keeps them."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()
    except OSError:
        return ""
    # Behind the name, which may hold anything: the state first, the start as the 20th.
    fields = line.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else f"{boot} {fields[19]}"


def lives(pid: int, started: str) -> bool:
    """Tell whether the process that was started then still runs."""
    if pid <= 0:
        return False
    child = _ours.get(pid)
    if child is not None and child.poll() is not None:
        return False
    return bool(started) and start_time(pid) == started


def end(pid: int, started: str, grace: float = GRACE) -> None:
    """End a process: kindly first, then by force. Does nothing where it is another one."""
    for number, patience in ((signal.SIGTERM, grace), (signal.SIGKILL, 5.0)):
        if not lives(pid, started):
            break
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        deadline = time.monotonic() + patience
        while lives(pid, started) and time.monotonic() < deadline:
            time.sleep(0.1)
    child = _ours.pop(pid, None)
    if child is not None:
        child.wait(timeout=5)


def tail(log: Path, lines: int) -> str:
    """Return the last lines of a log; empty where there is none."""
    try:
        with log.open("rb") as handle:
            handle.seek(0, os.SEEK_END)
            handle.seek(max(0, handle.tell() - 400 * lines))
            text = handle.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-lines:])
