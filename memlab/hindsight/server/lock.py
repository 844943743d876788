"""One installation or start at a time, also between processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["exclusive"]


@contextmanager
def exclusive(path: Path, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold a lock file until the block ends; the system frees it when the process dies.

    ``on_wait`` is called once before a wait. Where there are no such locks
    (Windows, some network folders) the block runs without one.
    """
    if sys.platform == "win32":
        yield
        return
    handle = _locked(path, on_wait)
    try:
        yield
    finally:
        handle.close()


def _locked(path: Path, on_wait: Callable[[], None]) -> IO[str]:
    """Open and lock the file; begin anew where it was removed while this process waited."""
    import fcntl

    while True:
        handle = path.open("a")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            return handle
        if path.exists() and path.stat().st_ino == os.fstat(handle.fileno()).st_ino:
            return handle
        handle.close()
