"""One installation at a time, also between processes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["exclusive"]


@contextmanager
def exclusive(path: Path, on_wait: Callable[[], None]) -> Iterator[bool]:
    """Hold a lock file; wait for whoever holds it. The system frees it when a process dies.

    ``on_wait`` is called once before a wait. Gives whether the lock is real:
    where there is none (Windows, some network folders), two processes may
    both build, and the first to finish wins.
    """
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    with path.open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            yield False
            return
        yield True
