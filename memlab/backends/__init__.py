"""What every memory backend can do, and the controls that evaluations compare with."""

from .base import Backend

__all__ = ["Backend"]
