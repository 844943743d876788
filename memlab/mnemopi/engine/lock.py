"""One installation at a time, also between processes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["exclusive"]


@contextmanager
def exclusive(path: Path) -> Iterator[bool]:
    """Hold a lock file; wait for whoever holds it. The system frees it when a process dies.

    Gives whether the lock is real: where the system has none, two processes
    may both build, and the first to finish wins.
    """
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    with path.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield True
