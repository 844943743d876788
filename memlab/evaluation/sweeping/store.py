"""Answers on disk, by content: what was asked before is not asked again.

One file per bank and setting; its name stands for everything that the answers
depend on: the bank's content, all options, the variables of the environment,
and memlab's own code. A line is one answer. Failures are not kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ...settings.places import cache_dir
from ..answer import Answer
from ..case import Case
from ..context import asked
from ..digest import digest
from ..environment import recall_variables

__all__ = ["Store", "case_key", "default_folder"]

FORMAT = 1
# What decides an answer; how it is drawn or compared does not.
PARTS = ("autorecall", "backends", "hindsight", "mnemopi", "models", "sessions", "text")


@cache
def code_digest() -> str:
    """Return a hash of the code that recalls, so that a changed memlab asks again."""
    found = hashlib.sha256()
    package = Path(__file__).parents[2]
    for part in PARTS:
        for path in sorted((package / part).rglob("*.py")):
            found.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:24]


def default_folder() -> Path:
    """Return where answers are kept: ``sweeps`` in memlab's cache folder (MEMLAB_CACHE)."""
    own = os.environ.get("MEMLAB_CACHE")
    return (Path(own) if own else cache_dir()[0]) / "sweeps"


def case_key(case: Case) -> str:
    """Return what stands for a case in a file, whatever its id and labels."""
    return digest(asked(case))


class Store:
    """A folder of answers; None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._always = [FORMAT, code_digest(), recall_variables()] if folder else []
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def name(self, key: list[Any]) -> str:
        """Return the name of the file of a target, by all that decides its answers."""
        return digest([*self._always, *key])

    def read(self, name: str, keys: Mapping[str, str]) -> dict[str, Answer]:
        """Return the answers that are there, by case id; a line that cannot be read is not there.

        ``keys`` maps the ids of the cases to their :func:`case_key`.
        """
        if self.folder is None or not (path := self.folder / f"{name}.jsonl").exists():
            return {}
        rows: dict[str, dict[str, Any]] = {}
        for line in path.read_bytes().split(b"\n"):
            try:
                row = json.loads(line)
                rows[row["key"]] = row["answer"]
            except (ValueError, KeyError, TypeError):
                continue
        found = {}
        for case, key in keys.items():
            row = rows.get(key)
            try:
                if row is not None:
                    found[case] = replace(Answer.from_record(row), case=case)
            except (ValueError, KeyError, TypeError):
                continue
        return found

    def add(self, name: str, answered: Iterable[tuple[Case, Answer]]) -> None:
        """Add answers to a file; each line is written at once, so that none is half there."""
        if self.folder is None:
            return
        lines = [
            json.dumps({"key": case_key(case), "answer": answer.record()}, separators=(",", ":"))
            for case, answer in answered
            if answer.outcome.answered
        ]
        if not lines:
            return
        path = self.folder / f"{name}.jsonl"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            # A leading newline parts it from a line that was cut off by a kill.
            os.write(handle, ("\n" + "\n".join(lines) + "\n").encode("ascii"))
        finally:
            os.close(handle)
