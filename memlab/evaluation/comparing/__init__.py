"""Two runs over the same cases: is one better, where, and what changed in between."""

from .comparison import Comparison
from .door import compare

__all__ = ["Comparison", "compare"]
