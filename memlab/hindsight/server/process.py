"""Start, watch and end the server's process."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from ...errors import ServerError
from .places import Environment

__all__ = ["GRACE", "end", "free_port", "launch", "lives", "start_time", "tail"]

_ENTRY = "from hindsight_api.main import main; main()"
GRACE = 30.0
_TRIES = 20


def free_port(preferred: int = 0, *, avoid: int = 0) -> int:
    """Return a free port on loopback: the preferred one, else any but the one to avoid."""
    for port in (preferred, *[0] * _TRIES):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            found: int = probe.getsockname()[1]
        if found != avoid:
            return found
    raise ServerError("There is no free port on this machine. Give one: port=...")


def launch(environment: Environment, folder: Path, log: Path, env: Mapping[str, str]) -> int:
    """Start the server apart from this process; return its process id.

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
        )
    _ours[running.pid] = running
    return running.pid


# Children of this process, to be reaped when they end.
_ours: dict[int, subprocess.Popen[bytes]] = {}


def start_time(pid: int) -> str:
    """Return when a process started, as the system tells it; empty where there is none."""
    try:
        done = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return " ".join(done.stdout.split())


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
