"""Finding logs: the files below a folder, in the order the agents' runtime lists them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Found", "find_logs"]

SUFFIX = ".jsonl"
MAX_DEPTH = 4
MAX_BYTES = 32 * 1024 * 1024


class Found(NamedTuple):
    """A file that may be a log: where it is, how large, and when it was last written (ns)."""

    path: str
    size: int
    mtime_ns: int


def find_logs(
    folder: str | Path,
    *,
    depth: float = MAX_DEPTH,
    max_bytes: float = MAX_BYTES,
    above: frozenset[str] | None = None,
) -> Iterator[Found]:
    """Yield the ``.jsonl`` files below a folder, at most ``depth`` folders deep, by name.

    Hidden ones too; links are followed. What cannot be read is left out, and so are
    files of more than ``max_bytes``. A folder that is not there gives nothing. With
    ``above`` (the real folders that this one lies in) a link that leads back up is not
    followed; the agents' runtime follows it until ``depth`` ends that.
    """
    if above is not None:
        here = os.path.realpath(folder)
        if here in above:
            return
        above |= {here}
    try:
        with os.scandir(folder) as listing:
            items = sorted(listing, key=lambda item: os.fsencode(item.name))
    except OSError:
        return
    for item in items:
        try:
            if item.is_dir():
                if depth > 0:
                    yield from find_logs(
                        item.path, depth=depth - 1, max_bytes=max_bytes, above=above
                    )
                continue
            if not item.name.endswith(SUFFIX) or not item.is_file():
                continue
            stat = item.stat()
        except OSError:
            continue
        if stat.st_size <= max_bytes:
            yield Found(item.path, stat.st_size, stat.st_mtime_ns)
