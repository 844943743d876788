"""Things that hold something open, in a with statement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

__all__ = ["Closing"]


class Closing(ABC):
    """Closes itself at the end of a with statement, whatever happened in it."""

    @abstractmethod
    def close(self) -> None:
        """Release what is held open."""

    def __enter__(self) -> Self:
        """Use it in a with statement."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release what is held open."""
        self.close()
