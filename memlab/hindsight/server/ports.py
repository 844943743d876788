"""Ports on loopback: which are free, and whose they are while a server starts."""

from __future__ import annotations

import contextlib
import socket
import sys
from dataclasses import dataclass, field

from ...errors import ServerError

__all__ = ["Claim", "claim", "free_port"]

_TRIES = 20


def free_port(preferred: int = 0, *, avoid: int = 0) -> int:
    """Return a free port on loopback: the preferred one, else any but the one to avoid."""
    for port in (preferred, *[0] * _TRIES):
        found = _probed(port)
        if found and found != avoid:
            return found
    raise ServerError("There is no free port on this machine. Give one: port=...")


def _probed(port: int) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
        found: int = probe.getsockname()[1]
        return found


@dataclass(frozen=True)
class Claim:
    """A port that no other server of memlab takes, from now until all who hold it have ended.

    A server listens many seconds after its port was chosen. Two that started
    at once would choose the same, and the second would find the first one
    answering there, and take it for itself. ``held`` is handed down to the
    server's process.
    """

    port: int
    held: socket.socket | None = field(default=None, repr=False)

    @property
    def handles(self) -> tuple[int, ...]:
        """Return what a process must inherit to hold the claim."""
        return () if self.held is None else (self.held.fileno(),)

    def close(self) -> None:
        """Let go of it; a process that inherited it holds it still."""
        if self.held is not None:
            self.held.close()


def claim(preferred: int, *, only: bool = False) -> Claim:
    """Claim the preferred port, or any free one where it is taken; ``only`` allows no other.

    Raises ServerError where that cannot be.
    """
    for port in (preferred, *[0] * (0 if only else _TRIES)):
        found = _probed(port)
        with contextlib.suppress(OSError):
            if found:
                return Claim(found, _name(found))
    if only:
        raise ServerError(f"Port {preferred} is taken. Leave port out, or give another.")
    raise ServerError("There is no free port on this machine. Give one: port=...")


def _name(port: int) -> socket.socket | None:
    """Take a name that the system frees when its last holder ends; OSError where it is taken.

    Linux alone has such names. Elsewhere two servers may still choose the same port.
    """
    if sys.platform != "linux":
        return None
    held = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        held.bind(f"\0memlab-hindsight-{port}")
    except OSError:
        held.close()
        raise
    return held
