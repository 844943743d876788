"""Mnemopi: the memory engine's SQLite banks, and its recall, exactly."""

from .bank import Mnemopi
from .info import BankInfo, VectorModel
from .options import RecallOptions
from .result import MnemopiRecall

__all__ = ["BankInfo", "Mnemopi", "MnemopiRecall", "RecallOptions", "VectorModel"]
