"""Progress of long work, shown only where it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

__all__ = ["Bar", "counted", "meter"]

Item = TypeVar("Item")


class Bar(Protocol):
    """Something that can be told how much more was done."""

    def update(self, n: float = 1) -> object:
        """Add to what was done."""


class _Silent:
    def update(self, n: float = 1) -> None:
        """Say nothing."""


def counted(items: Iterable[Item], *, total: int, label: str, shown: bool | None) -> Iterable[Item]:
    """Count items on a bar while they are used; ``shown=None`` shows it on a terminal only."""
    if shown is False:
        return items
    from tqdm.auto import tqdm

    bar: Iterable[Item] = tqdm(items, total=total, desc=label, leave=False, disable=_off(shown))
    return bar


@contextmanager
def meter(*, total: int, label: str, shown: bool | None) -> Iterator[Bar]:
    """Give a bar of bytes; ``shown=None`` shows it on a terminal only."""
    if shown is False:
        yield _Silent()
        return
    from tqdm.auto import tqdm

    with tqdm(
        total=total, desc=label, leave=False, unit="B", unit_scale=True, disable=_off(shown)
    ) as bar:
        yield bar


def _off(shown: bool | None) -> bool | None:
    return None if shown is None else not shown
