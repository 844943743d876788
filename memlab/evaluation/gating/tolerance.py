"""How much worse a run may be."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ...errors import InputError

__all__ = ["Tolerance"]

_SMALL = 1e-9


@dataclass(frozen=True)
class Tolerance:
    """How far a mean may fall behind the baseline's; what is allowed by any of them passes.

    ``absolute``: by so much (0.02 is two points). ``relative``: by this share
    of the baseline's mean. ``significance``: by whatever chance explains: a
    paired permutation test must not reject at this level. Without any, a run
    must be as good as the baseline, to the last digit.
    """

    absolute: float = 0.0
    relative: float = 0.0
    significance: float | None = None

    def __post_init__(self) -> None:
        """Refuse what allows nothing sensible."""
        for name in ("absolute", "relative"):
            if not getattr(self, name) >= 0:
                raise InputError(f"{name}={getattr(self, name)} must be 0 or more.")
        if self.significance is not None and not 0 < self.significance < 1:
            raise InputError(f"significance={self.significance} must lie between 0 and 1.")

    def room(self, mean: float) -> float:
        """Return by how much a mean may be worse than this one."""
        return max(self.absolute, self.relative * abs(mean)) + _SMALL

    def record(self) -> dict[str, Any]:
        """Return the tolerance as plain values."""
        return asdict(self)

    def __str__(self) -> str:
        """Say what is allowed."""
        parts = []
        if self.absolute:
            parts.append(f"a loss of {self.absolute:g}")
        if self.relative:
            parts.append(f"a loss of {self.relative:.3g} of the baseline")
        if self.significance is not None:
            parts.append(f"what is not significant at {self.significance:g}")
        return " or ".join(parts) or "no loss at all"
