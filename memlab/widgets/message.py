"""The line that says how a question ended, or what went wrong."""

from __future__ import annotations

from collections.abc import Mapping

from ..models import Recall
from .asking import Answer
from .markup import escaped, note, tag

__all__ = ["answer_html", "error_html"]

STALE = "the bank has changed since it was opened; its refresh() brings what is new"


def answer_html(answer: Answer) -> str:
    """Return what there is to say about an answer; a failure never reads like "no memories"."""
    failure = answer.failure
    if failure is not None:
        return error_html(*failure)
    recall = answer.recall
    if recall is None:
        return ""
    spent = f"{answer.seconds * 1000:.0f} ms"
    old = STALE if answer.stale else ""
    return note([_count(recall), recall.backend, spent, old]) + _asides(recall)


def _count(recall: Recall) -> str:
    if not recall.hits:
        return "No memories found: it was searched, and nothing fits"
    return f"{len(recall.hits)} hits" if len(recall.hits) > 1 else "1 hit"


def _asides(recall: Recall) -> str:
    """Tell which banks of a scope failed, and what else a reader should know."""
    failures: Mapping[str, Exception] = getattr(recall, "failures", {})
    failed = (error_html(f"{bank} did not answer", str(e)) for bank, e in failures.items())
    return "".join([*failed, *(note([text]) for text in getattr(recall, "notes", ()))])


def error_html(kind: str, message: str) -> str:
    """Return an error as a box: its kind and its sentence."""
    inner = tag("b", escaped(kind)) + tag("div", escaped(message), dir="auto")
    return tag("div", inner, class_="memlab-error", role="alert")
