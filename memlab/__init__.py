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

from . import hindsight, tools
from .autorecall import (
    AutoRecall,
    ComposedQuery,
    compose_query,
    feedback_loop,
    replay,
    salient_terms,
    token_errors,
    transcript,
)
from .backends import Backend
from .errors import MemlabError
from .mnemopi import (
    Agreement,
    BankInfo,
    Edit,
    Explanation,
    FallbackReport,
    Mnemopi,
    MnemopiRecall,
    MnemopiScope,
    NewFact,
    NewMemory,
    PastBank,
    PastScope,
    RecallOptions,
    Retained,
    ScopedRecall,
    Vectors,
    build_bank,
    fallback_query,
    fallback_report,
    polyphonic_recall,
    verify,
)
from .models import (
    Fact,
    Facts,
    Hit,
    Memories,
    Memory,
    Outcome,
    Recall,
    Scope,
    ScopeReport,
    scope_report,
)
from .settings import Settings
from .text.tokens import tokens

if typing.TYPE_CHECKING:
    from .backends.baselines import Bm25, FullContext, Lsa, Oracle, Random, Recent
    from .datasets import Dataset, Item, load_dataset
    from .evaluation import (
        AP,
        RR,
        Baseline,
        Case,
        Cases,
        Comparison,
        Evaluation,
        GateReport,
        Judged,
        LabelQueue,
        P,
        R,
        Success,
        Sweep,
        compare,
        evaluate,
        gate,
        label_queue,
        nDCG,
        self_labelled,
        sweep,
    )
    from .hindsight import (
        Hindsight,
        HindsightOptions,
        HindsightRecall,
        check_scope,
        filter_by_tags,
        project_tags,
        tag_table,
    )
    from .plots import plot
    from .report import Report, make_report
    from .sessions import (
        SearchOptions,
        Session,
        SessionIndex,
        SessionLogs,
        claude_folders,
        name_session,
        provenance,
    )
    from .widgets import explore

__version__ = "0.1.0"

# Loaded when they are first used: what they stand on takes long to import.
_LATER = {
    "backends.baselines": ("Bm25", "FullContext", "Lsa", "Oracle", "Random", "Recent"),
    "datasets": ("Dataset", "Item", "load_dataset"),
    "evaluation": (
        "AP",
        "Baseline",
        "Case",
        "Cases",
        "Comparison",
        "Evaluation",
        "GateReport",
        "Judged",
        "LabelQueue",
        "P",
        "R",
        "RR",
        "Success",
        "Sweep",
        "compare",
        "evaluate",
        "gate",
        "label_queue",
        "nDCG",
        "self_labelled",
        "sweep",
    ),
    "hindsight": (
        "Hindsight",
        "HindsightOptions",
        "HindsightRecall",
        "check_scope",
        "filter_by_tags",
        "project_tags",
        "tag_table",
    ),
    "plots": ("plot",),
    "report": ("Report", "make_report"),
    "sessions": (
        "SearchOptions",
        "Session",
        "SessionIndex",
        "SessionLogs",
        "claude_folders",
        "name_session",
        "provenance",
    ),
    "widgets": ("explore",),
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "AP",
    "RR",
    "Agreement",
    "AutoRecall",
    "Backend",
    "BankInfo",
    "Baseline",
    "Bm25",
    "Case",
    "Cases",
    "Comparison",
    "ComposedQuery",
    "Dataset",
    "Edit",
    "Evaluation",
    "Explanation",
    "Fact",
    "Facts",
    "FallbackReport",
    "FullContext",
    "GateReport",
    "Hindsight",
    "HindsightOptions",
    "HindsightRecall",
    "Hit",
    "Item",
    "Judged",
    "LabelQueue",
    "Lsa",
    "MemlabError",
    "Memories",
    "Memory",
    "Mnemopi",
    "MnemopiRecall",
    "MnemopiScope",
    "NewFact",
    "NewMemory",
    "Oracle",
    "Outcome",
    "P",
    "PastBank",
    "PastScope",
    "R",
    "Random",
    "Recall",
    "RecallOptions",
    "Recent",
    "Report",
    "Retained",
    "Scope",
    "ScopeReport",
    "ScopedRecall",
    "SearchOptions",
    "Session",
    "SessionIndex",
    "SessionLogs",
    "Settings",
    "Success",
    "Sweep",
    "Vectors",
    "build_bank",
    "check_scope",
    "claude_folders",
    "compare",
    "compose_query",
    "evaluate",
    "explore",
    "fallback_query",
    "fallback_report",
    "feedback_loop",
    "filter_by_tags",
    "gate",
    "hindsight",
    "label_queue",
    "load_dataset",
    "make_report",
    "nDCG",
    "name_session",
    "plot",
    "polyphonic_recall",
    "project_tags",
    "provenance",
    "replay",
    "salient_terms",
    "scope_report",
    "self_labelled",
    "sweep",
    "tag_table",
    "token_errors",
    "tokens",
    "tools",
    "transcript",
    "verify",
]


def __getattr__(name: str) -> typing.Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
