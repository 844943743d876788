"""One process at a time: a lock file that the system frees when its holder dies."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["exclusive"]


@contextmanager
def exclusive(path: Path, on_wait: Callable[[], None] = lambda: None) -> Iterator[bool]:
    """Hold a lock file until the block ends; wait first for whoever holds it.

    ``on_wait`` is called before a wait. Gives whether the lock is real: where
    there is none (Windows, some network folders) the block runs all the same,
    and two processes may both do the work.
    """
    if sys.platform == "win32":
        yield False
        return
    while True:
        with path.open("a") as handle:
            is_real = _locked(handle, on_wait)
            # Its holder may have removed the file meanwhile: others then lock the next one.
            if not is_real or _is_at(handle, path):
                yield is_real
                return


def _locked(handle: IO[str], on_wait: Callable[[], None]) -> bool:
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        on_wait()
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


def _is_at(handle: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle.fileno()), path.stat())
    except FileNotFoundError:
        return False
