"""A progress bar, loaded only where one is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import TypeVar

__all__ = ["shown"]

Item = TypeVar("Item")


def shown(
    items: Iterable[Item],
    *,
    progress: bool,
    what: str = "evaluate",
    unit: str = "case",
    total: int | None = None,
) -> Iterable[Item]:
    """Return the items, with a progress bar on the way if asked."""
    if not progress:
        return items
    from tqdm.auto import tqdm  # loads parts of IPython

    size = total if total is not None else (len(items) if isinstance(items, Sized) else None)
    bar: Iterable[Item] = tqdm(items, desc=what, unit=unit, total=size)
    return bar
