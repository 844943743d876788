"""Whether memlab's recall and the real engine's agree, difference by difference."""

from .agreement import Agreement, Difference
from .asking import verify
from .queries import own_queries

__all__ = ["Agreement", "Difference", "own_queries", "verify"]
