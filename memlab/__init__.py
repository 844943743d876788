"""memlab: what is in an agent's long-term memory, and what would it have recalled?

Open a bank, look at it, ask it what the agent would have been shown, and judge
the answers against labelled cases::

    import memlab as ml

    bank = ml.Mnemopi("path/to/mnemopi.db")
    bank.memories().frame()
    bank.recall("which database did we choose?").text
"""

from __future__ import annotations

import importlib
import typing

from .backends import Backend
from .errors import MemlabError
from .mnemopi import BankInfo, Mnemopi, MnemopiRecall, RecallOptions
from .models import Fact, Facts, Hit, Memories, Memory, Outcome, Recall
from .settings import Settings

if typing.TYPE_CHECKING:
    from .evaluation import AP, RR, Case, Cases, Evaluation, Judged, P, R, Success, evaluate, nDCG
    from .plots import plot

__version__ = "0.1.0"

# Loaded when they are first used: what they stand on takes long to import.
_LATER = {
    "evaluation": (
        "AP",
        "Case",
        "Cases",
        "Evaluation",
        "Judged",
        "P",
        "R",
        "RR",
        "Success",
        "evaluate",
        "nDCG",
    ),
    "plots": ("plot",),
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "AP",
    "RR",
    "Backend",
    "BankInfo",
    "Case",
    "Cases",
    "Evaluation",
    "Fact",
    "Facts",
    "Hit",
    "Judged",
    "MemlabError",
    "Memories",
    "Memory",
    "Mnemopi",
    "MnemopiRecall",
    "Outcome",
    "P",
    "R",
    "Recall",
    "RecallOptions",
    "Settings",
    "Success",
    "evaluate",
    "nDCG",
    "plot",
]


def __getattr__(name: str) -> typing.Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
