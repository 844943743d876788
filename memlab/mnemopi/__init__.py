"""Mnemopi: the memory engine's SQLite banks, and its recall, exactly."""

from ..models.scope.legacy import bring_search
from .bank import Mnemopi
from .info import BankInfo, VectorModel
from .options import RecallOptions
from .result import MnemopiRecall
from .scoped import (
    FallbackReport,
    MnemopiScope,
    ScopedRecall,
    fallback_query,
    fallback_report,
    find_legacy_banks,
)

__all__ = [
    "BankInfo",
    "FallbackReport",
    "Mnemopi",
    "MnemopiRecall",
    "MnemopiScope",
    "RecallOptions",
    "ScopedRecall",
    "VectorModel",
    "fallback_query",
    "fallback_report",
]

# Scopes are a layer below, which reads no SQLite: the search for legacy banks is brought to it.
bring_search(find_legacy_banks)
