"""Which turn of which session made a memory, and which turns never became one."""

from __future__ import annotations

from .joining import provenance
from .result import Provenance

__all__ = ["Provenance", "provenance"]
