"""The surroundings the engine runs in: nothing of the caller's settings reaches it."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["environment"]

# What a program needs to start at all. No MNEMOPI_*, no PI_*, no proxy, no language.
_KEPT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR")


def environment(home: Path, folder: Path, *, repeatable: bool) -> dict[str, str]:
    """The environment for an engine installed in ``folder``, with a private home.

    The engine reads .env files and writes logs in its home, and takes zone-less
    times as local: it gets an empty home and UTC. Vectors are given or absent:
    left to itself, the engine would fetch 240 MB to make them. ``repeatable``:
    the ids it makes do not differ from run to run.
    """
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "TMPDIR": str(home),
        "TEMP": str(home),
        "TMP": str(home),
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "DO_NOT_TRACK": "1",
        "MNEMOPI_NO_EMBEDDINGS": "1",
        "PI_NATIVE_VARIANT": "baseline",
        "MEMLAB_REPEATABLE": "1" if repeatable else "0",
        "BUN_RUNTIME_TRANSPILER_CACHE_PATH": str(folder / "transpiled"),
    }
