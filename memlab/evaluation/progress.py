"""A progress bar, for what takes longer than a moment."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sized
from typing import TypeVar

__all__ = ["shown"]

Item = TypeVar("Item")
MOMENT = 2.0


def shown(
    items: Iterable[Item],
    *,
    progress: bool,
    what: str = "evaluate",
    unit: str = "case",
    total: int | None = None,
) -> Iterable[Item]:
    """Return the items; if asked, with a progress bar that appears after two seconds.

    There is one in a notebook and at a terminal, and none in a log.
    """
    if not progress or not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        return items
    from tqdm.auto import tqdm

    size = total if total is not None else (len(items) if isinstance(items, Sized) else None)
    bar: Iterable[Item] = tqdm(items, desc=what, unit=unit, total=size, delay=MOMENT, leave=False)
    return bar
