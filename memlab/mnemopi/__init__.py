"""Mnemopi: the memory engine's SQLite banks, and its recall, exactly."""

from ..models.scope.legacy import bring_search
from .bank import Mnemopi
from .build import build_bank
from .explaining import Explanation
from .info import BankInfo, VectorModel
from .options import RecallOptions
from .past import PastBank
from .polyphonic import polyphonic_recall
from .result import MnemopiRecall
from .scoped import (
    FallbackReport,
    MnemopiScope,
    PastScope,
    ScopedRecall,
    fallback_query,
    fallback_report,
    find_legacy_banks,
)
from .vectorset import Vectors
from .verifying import Agreement, verify
from .writing import Edit, NewFact, NewMemory, Retained

__all__ = [
    "Agreement",
    "BankInfo",
    "Edit",
    "Explanation",
    "FallbackReport",
    "Mnemopi",
    "MnemopiRecall",
    "MnemopiScope",
    "NewFact",
    "NewMemory",
    "PastBank",
    "PastScope",
    "RecallOptions",
    "Retained",
    "ScopedRecall",
    "VectorModel",
    "Vectors",
    "build_bank",
    "fallback_query",
    "fallback_report",
    "polyphonic_recall",
    "verify",
]

# Scopes are a layer below, which reads no SQLite: the search for legacy banks is brought to it.
bring_search(find_legacy_banks)
