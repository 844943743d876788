"""LoCoMo's evidence strings, some of which name no turn as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .dirt import Dirt

__all__ = ["turns_of"]

# "D8:6; D9:17", "D9:1 D4:4 D4:6" (several in one), "D:11:26" (a colon too many), "D30:05" (padded)
_TURN = re.compile(r"D:?(\d+):(\d+)")


def turns_of(evidence: Iterable[object], known: set[str], case: str, dirt: Dirt) -> Iterator[str]:
    """Yield the turns that a list of evidence strings names, each once; note all oddities."""
    seen: set[str] = set()
    for entry in evidence:
        text = str(entry)
        names = [text] if text in known else [*_mended(text, known, case, dirt)]
        for name in names:
            if name in seen:
                dirt.note("a question names a turn twice", "counted once", f"{case}: {name}")
                continue
            seen.add(name)
            yield name


def _mended(text: str, known: set[str], case: str, dirt: Dirt) -> Iterator[str]:
    found = [f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(text)]
    real = [name for name in found if name in known]
    example = f"{case}: {text!r}"
    if len(found) > 1:
        dirt.note("one evidence string names several turns", "taken apart", example)
    elif real:
        dirt.note("an evidence string is misspelt", f"read as {real[0]}", example)
    for _ in range(max(len(found), 1) - len(real)):
        dirt.note("evidence names no turn", "left out", example)
    yield from real
