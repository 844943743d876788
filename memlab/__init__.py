"""memlab: what is in an agent's long-term memory, and what would it have recalled?

Open a bank, look at it, ask it what the agent would have been shown, and judge
the answers against labelled cases::

    import memlab as ml

    bank = ml.Mnemopi("path/to/mnemopi.db")
    bank.memories().frame()
    bank.recall("which database did we choose?").text
"""

from __future__ import annotations

from .backends import Backend
from .errors import MemlabError
from .mnemopi import BankInfo, Mnemopi, MnemopiRecall, RecallOptions
from .models import Fact, Facts, Hit, Memories, Memory, Outcome, Recall
from .settings import Settings

__version__ = "0.1.0"

__all__ = [
    "Backend",
    "BankInfo",
    "Fact",
    "Facts",
    "Hit",
    "MemlabError",
    "Memories",
    "Memory",
    "Mnemopi",
    "MnemopiRecall",
    "Outcome",
    "Recall",
    "RecallOptions",
    "Settings",
]
