"""One automatic recall: compose, ask, make the block; every step is written down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..backends import Backend
from ..errors import InputError, MemlabError
from ..models import Conversation, Outcome, Recall
from ..text.javascript import length
from .block import Block, make_block
from .compose import compose_query
from .query import ComposedQuery
from .spoken import History
from .strategies import Strategy
from .style import Style
from .trace import Step, Trace
from .words import counted

__all__ = ["AskedRecall", "Plan", "ask"]


@dataclass(frozen=True)
class Plan:
    """How an agent recalls by itself: how it asks, and what it makes of the answer."""

    style: Style
    turns: int
    max_chars: int
    token_limit: int | None
    strategy: Strategy
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AskedRecall:
    """What came of one prompt: the query, the answer, and the block for the model.

    ``outcome`` says how the recall ended and is None where nothing was asked;
    ``error`` is what the backend raised. ``block`` is what would be injected,
    empty for none. ``trace`` has every step.
    """

    trace: Trace
    query: ComposedQuery | None = None
    recall: Recall | None = None
    injected: Block | None = None
    outcome: Outcome | None = None
    error: MemlabError | None = None

    @property
    def block(self) -> str:
        """Return the text that would be put into the prompt; empty for none."""
        return self.injected.text if self.injected else ""

    @property
    def asked(self) -> bool:
        """Tell whether a query was sent at all."""
        return self.outcome is not None

    @property
    def failed(self) -> bool:
        """Tell whether the backend did not answer."""
        return self.error is not None

    def __repr__(self) -> str:
        """Show the steps."""
        return repr(self.trace)

    def _repr_html_(self) -> str:
        """Show the steps as a table."""
        return self.trace._repr_html_()


def ask(
    plan: Plan,
    backend: Backend,
    talk: Conversation,
    latest: str | None = None,
    history: History = "spoken",
) -> AskedRecall:
    """Ask a backend what an agent would ask at the end of a conversation.

    An error of the backend is kept, not raised. Raises InputError for what
    cannot be asked at all, such as an unknown option.
    """
    query = compose_query(
        talk,
        plan.turns,
        plan.max_chars,
        strategy=plan.strategy,
        latest=latest,
        history=history,
    )
    steps = list(_composed(query))
    try:
        recall = backend.recall(query.text_utf16, **plan.options)
    except InputError:
        raise
    except MemlabError as error:
        steps.append(Step("recall", f"{error.outcome}: {error}"))
        return AskedRecall(Trace(steps), query, outcome=Outcome(error.outcome), error=error)
    block = make_block(recall, plan.style, plan.token_limit)
    steps.append(Step("recall", f"{recall.outcome}: {_hits(len(recall))} from {recall.backend}"))
    steps.append(Step("block", _block_says(block), length(block.text)))
    return AskedRecall(Trace(steps), query, recall, block, recall.outcome)


def _composed(query: ComposedQuery) -> Iterator[Step]:
    context = {line.message for line in query.lines if line.part == "context" and line.labelled}
    said = f"the prompt and {counted(len(context), 'message')} of context (turns={query.turns})"
    yield Step("compose", said, length(query.full))
    cut = f"{query.strategy} leaves out {counted(query.dropped_chars, 'unit')} (max_chars={query.max_chars})"
    yield Step("truncate", cut if query.was_truncated else "it fits", query.chars)


def _hits(count: int) -> str:
    return counted(count, "memory", "memories")


def _block_says(block: Block) -> str:
    if not block.text:
        return "nothing to inject"
    if not block.was_cut:
        return f"{_hits(len(block.whole))} injected"
    closing = "; the closing tag is cut off" if block.is_open else ""
    return f"cut: {_hits(len(block.whole))} whole, {_hits(len(block.lost))} not{closing}"
