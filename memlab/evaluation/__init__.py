"""Judging recall: labelled cases, measures, runs, comparisons."""

from .answer import Answer
from .case import Case
from .cases import Cases
from .evaluation import Evaluation
from .keys import content_key
from .measures import AP, RR, Judged, P, R, Success, nDCG
from .own import Covered, Injected, Leaked, RAll, RelevantShare, Seconds, Tokens
from .runner import evaluate

__all__ = [
    "AP",
    "RR",
    "Answer",
    "Case",
    "Cases",
    "Covered",
    "Evaluation",
    "Injected",
    "Judged",
    "Leaked",
    "P",
    "R",
    "RAll",
    "RelevantShare",
    "Seconds",
    "Success",
    "Tokens",
    "content_key",
    "evaluate",
    "nDCG",
]
