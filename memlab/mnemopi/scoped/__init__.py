"""Recall over the banks of a scope, as the agent does it."""

from .backend import MnemopiScope
from .effect import FallbackReport, fallback_report
from .fallback import fallback_query
from .legacy import find_legacy_banks
from .past import PastScope
from .recall import ScopedHit, ScopedRecall

__all__ = [
    "FallbackReport",
    "MnemopiScope",
    "PastScope",
    "ScopedHit",
    "ScopedRecall",
    "fallback_query",
    "fallback_report",
    "find_legacy_banks",
]
