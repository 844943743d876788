"""Judging recall: labelled cases, measures, runs, comparisons."""

from .answer import Answer
from .case import Case
from .cases import Cases
from .comparing import Comparison, compare
from .evaluation import Evaluation
from .gating import Baseline, GateReport, gate
from .keys import content_key
from .measures import AP, RR, Judged, P, R, Success, nDCG
from .own import Covered, Injected, Leaked, RAll, RelevantShare, Seconds, Tokens
from .pool import LabelQueue, label_queue
from .runner import evaluate
from .selflabel import self_labelled
from .sweeping import Sweep, sweep

__all__ = [
    "AP",
    "RR",
    "Answer",
    "Baseline",
    "Case",
    "Cases",
    "Comparison",
    "Covered",
    "Evaluation",
    "GateReport",
    "Injected",
    "Judged",
    "LabelQueue",
    "Leaked",
    "P",
    "R",
    "RAll",
    "RelevantShare",
    "Seconds",
    "Success",
    "Sweep",
    "Tokens",
    "compare",
    "content_key",
    "evaluate",
    "gate",
    "label_queue",
    "nDCG",
    "self_labelled",
    "sweep",
]
