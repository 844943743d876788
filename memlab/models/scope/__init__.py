"""Scopes: which banks an agent writes to and recalls from, in a given directory."""

from .legacy import LegacyBank
from .report import ScopeReport, scope_report
from .value import Scope

__all__ = ["LegacyBank", "Scope", "ScopeReport", "scope_report"]
