"""Pictures that oh-my-pi keeps beside its logs: which of them are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from .entry import Entry
from .problems import Problem
from .values import mapping

__all__ = ["missing_blobs"]

_BLOB = re.compile(r"blob:sha256:([0-9a-f]{64})\Z")


def _folder(path: Path) -> Path | None:
    """Return the folder of blobs of the agent whose sessions the log is among, if it is one."""
    for parent in path.parents:
        blobs = parent.parent / "blobs"
        if parent.name == "sessions" and (parent.parent.name == "agent" or blobs.is_dir()):
            return blobs
    return None


def _blobs(entry: Entry) -> Iterator[str]:
    content = mapping(entry.raw.get("message")).get("content")
    for block in content if isinstance(content, list) else ():
        data = mapping(block).get("data")
        match = _BLOB.match(data) if isinstance(data, str) else None
        if match:
            yield match[1]


def missing_blobs(path: Path, entries: Sequence[Entry]) -> Iterator[Problem]:
    """Yield a problem for each picture whose file is not there.

    Logs outside an agent's folder are not judged: their pictures may be elsewhere.
    """
    folder = _folder(path)
    if folder is None:
        return
    for entry in entries:
        for digest in _blobs(entry):
            if not (folder / digest).exists():
                yield Problem(str(path), entry.line_no, f"the picture {digest[:12]}… is gone")
