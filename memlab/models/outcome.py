"""How a recall ended."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Outcome"]


class Outcome(StrEnum):
    """How a recall ended; a failure is never "empty"."""

    OK = "ok"
    EMPTY = "empty"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    INVALID_REPLY = "invalid_reply"
    ERROR = "error"

    @property
    def answered(self) -> bool:
        """Tell whether the backend answered at all (ok or empty)."""
        return self in (Outcome.OK, Outcome.EMPTY)
