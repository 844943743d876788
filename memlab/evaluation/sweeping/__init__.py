"""Many settings over the same cases: asked once, kept, compared."""

from .door import sweep
from .result import Sweep

__all__ = ["Sweep", "sweep"]
