"""What is evaluated: a backend as it is, or an agent's automatic recall over one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..autorecall.asking import Plan, ask
from ..autorecall.auto import AutoRecall
from ..backends import Backend
from ..errors import InputError
from ..models import Conversation, Hit, Outcome, Recall
from ..settings import Settings
from .case import Case

__all__ = ["COMPOSER", "Reply", "Subject", "Target", "backend_of", "make_target"]

COMPOSER = ("turns", "max_chars", "token_limit", "strategy", "style")
"""Options of the composer and the block, not of a backend."""

Subject: TypeAlias = Backend | AutoRecall


def backend_of(subject: Subject) -> Backend:
    """Return the backend itself, also of an automatic recall."""
    return subject.backend if isinstance(subject, AutoRecall) else subject


@dataclass(frozen=True)
class Reply:
    """An answer as it came: the query sent, the hits that the agent sees, the text it is shown.

    ``cut`` counts hits that were recalled and did not fit into the block.
    """

    query: str
    hits: tuple[Hit, ...]
    outcome: Outcome
    shown: str
    seconds: float
    cut: int = 0
    recall: Recall | None = None


@dataclass(frozen=True)
class Target:
    """One subject with its options, ready to be asked.

    ``plan`` is that of an automatic recall; None: the backend is asked the
    query as it is, and the agent sees what its recall tool shows.
    """

    backend: Backend
    options: Mapping[str, Any]
    plan: Plan | None = None

    def ask(self, case: Case) -> Reply:
        """Ask one case; errors are raised as they come."""
        if self.plan is not None:
            return self._ask_composed(self.plan, case)
        if case.conversation is not None:
            raise InputError(
                f"Case {case.id!r} holds a conversation, and {self.backend.name} takes queries. "
                "Evaluate an AutoRecall, or give composer options such as turns=3."
            )
        recall = self.backend.recall(case.query, **self.options)
        return _reply(recall, recall.text if recall.hits else "")

    def _ask_composed(self, plan: Plan, case: Case) -> Reply:
        answer = ask(plan, self.backend, case.conversation or Conversation.of(case.query))
        if answer.error is not None:
            raise answer.error
        if answer.recall is None or answer.injected is None:
            raise InputError(f"Nothing was asked for case {case.id!r}: {answer.trace!r}")
        whole = len(answer.injected.whole)
        reply = _reply(answer.recall, answer.block)
        return replace(reply, hits=reply.hits[:whole], cut=len(reply.hits) - whole)


def _reply(recall: Recall, shown: str) -> Reply:
    return Reply(recall.query, recall.hits, recall.outcome, shown, recall.seconds, recall=recall)


def make_target(subject: Subject, options: Mapping[str, Any]) -> Target:
    """Put a subject and options together.

    Options of the composer make an automatic recall of a plain backend. Raises
    InputError or UnknownOption for what cannot be used.
    """
    composing = {name: value for name, value in options.items() if name in COMPOSER}
    rest = {name: value for name, value in options.items() if name not in COMPOSER}
    if isinstance(subject, AutoRecall):
        if composing:
            raise InputError(
                f"{', '.join(composing)}: an AutoRecall has its own. Make another AutoRecall, or "
                "evaluate its backend with these options."
            )
        plan = replace(subject.plan, options={**subject.plan.options, **rest})
        return Target(subject.backend, plan.options, plan)
    if not composing:
        return Target(subject, rest)
    own = getattr(subject, "settings", None)
    settings = own if isinstance(own, Settings) else None
    auto = AutoRecall(subject, **composing, **rest, settings=settings)
    return Target(subject, auto.plan.options, auto.plan)
