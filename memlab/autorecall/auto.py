"""Automatic recall, as the agent does it: once per conversation, before the first answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..backends import Backend
from ..backends.closing import Closing
from ..errors import InputError
from ..mnemopi import MnemopiScope
from ..models import Conversation, Scope
from ..settings import Settings
from ..text.javascript import trim
from .asking import AskedRecall, ask
from .checks import text_given
from .compose import Talk
from .planning import make_plan
from .salience import Corpus
from .spoken import is_spoken
from .strategies import Strategy
from .style import Style, agent_defaults, style_of
from .trace import Step, Trace

__all__ = ["AutoRecall"]


@dataclass
class _Memory:
    """What the agent remembers of one conversation: whether it has recalled, and what it got."""

    recalled: bool = False
    snippet: str = ""
    generation: int = 0


class AutoRecall(Closing):
    """The agent's automatic recall over a backend: call it with a conversation.

    Give a ``backend``, or a :class:`Scope` of Mnemopi, whose banks are opened
    then; with a backend, ``scope`` names the banks or tags instead of the
    backend's own. ``turns``, ``max_chars``, ``token_limit`` (of the injected
    block, four UTF-16 units a token) and the options of the backend default to
    the settings of the agent for that backend: 3 turns, 4000 units and 5000
    tokens for Mnemopi, 1 turn and 800 units for Hindsight. ``strategy`` is that
    of :func:`compose_query`; ``style`` says which agent to follow where the
    name of the backend does not.

    It recalls once per conversation, on the first prompt that is not blank; a
    recall that failed is tried again at the next prompt. ``recalled`` and
    ``snippet`` are those of the conversation it was last called with.
    Conversations are told apart by their ``id``; one without an id is the
    same as any other without. The explicit tools never touch this state.
    """

    def __init__(
        self,
        backend: Backend | Scope,
        *,
        scope: Scope | None = None,
        turns: int | None = None,
        max_chars: int | None = None,
        token_limit: int | None = None,
        strategy: str | Strategy = "agent",
        corpus: Corpus | None = None,
        style: Style | None = None,
        settings: Settings | None = None,
        **options: Any,
    ) -> None:
        known = Settings.load() if settings is None else settings
        self._opened = _open_banks(backend, scope, known)
        self.backend: Backend = self._opened or backend  # type: ignore[assignment]
        if scope is not None and self._opened is None:
            options = {"scope": scope, **options}
        self.plan = make_plan(
            self.backend, known, style=style, turns=turns, max_chars=max_chars,
            token_limit=token_limit, strategy=strategy, corpus=corpus, options=options,
        )  # fmt: skip
        self.enabled = agent_defaults(self.plan.style, known).enabled
        self._memories: dict[str, _Memory] = {}
        self._current = _Memory()

    @property
    def recalled(self) -> bool:
        """Tell whether the conversation it was last called with has had its recall."""
        return self._current.recalled

    @property
    def snippet(self) -> str:
        """Return the block that this conversation was given; empty for none."""
        return self._current.snippet

    def __call__(self, conversation: Talk, prompt: str | None = None) -> AskedRecall:
        """Recall for the prompt of a conversation, if the agent would.

        ``prompt`` is a new prompt after the conversation; without it the last
        message of the user is the prompt. Nothing is asked after a recall that
        worked, for a blank prompt, and where the settings switch it off; the
        trace says so. An error of the backend is kept in the answer.

        Raises InputError where there is no prompt, and for a query or an option
        that cannot be asked.
        """
        talk = Conversation.of(conversation)
        memory = self._current = self._memories.setdefault(talk.id, _Memory())
        if prompt is not None:
            text_given("prompt", prompt)
        if reason := self._silence(memory, talk, prompt):
            return AskedRecall(Trace([Step("state", reason)]))
        memory.generation += 1
        generation = memory.generation
        answer = ask(self.plan, self.backend, talk, prompt)
        if answer.failed:
            return _ended(answer, "nothing was recalled; the next prompt asks again")
        if memory.generation != generation:
            return _ended(answer, "the conversation was reset meanwhile; nothing is kept")
        memory.recalled = True
        memory.snippet = answer.block or memory.snippet
        return _ended(answer, "recalled; later prompts of this conversation do not ask")

    def _silence(self, memory: _Memory, talk: Conversation, prompt: str | None) -> str:
        """Return why nothing is asked; empty where something is."""
        if not self.enabled:
            return f"the settings switch it off ({self.plan.style}.autoRecall is false)"
        if memory.recalled:
            return "this conversation has had its recall; nothing is asked"
        said = [m.text for m in talk.messages if m.role == "user" and is_spoken(m)]
        latest = prompt if prompt is not None else said[-1] if said else None
        return (
            "the prompt is blank; nothing is asked"
            if latest is not None and not trim(latest)
            else ""
        )

    def for_compaction(self, conversation: Talk) -> AskedRecall:
        """Recall as the agent does before it compacts a conversation: for its last prompt.

        It asks whatever was recalled before, and leaves ``recalled`` and
        ``snippet`` as they are. Raises InputError where there is no prompt.
        """
        answer = ask(self.plan, self.backend, Conversation.of(conversation), None, "compaction")
        return _ended(answer, "asked for a compaction; recalled and snippet stay as they are")

    def reset(self, conversation: Talk | None = None) -> None:
        """Forget what was recalled in a conversation, or in all of them."""
        chosen = self._memories
        if conversation is not None:
            talk = Conversation.of(conversation)
            chosen = {talk.id: self._memories.setdefault(talk.id, _Memory())}
        for memory in chosen.values():
            memory.recalled, memory.snippet = False, ""
            memory.generation += 1

    def close(self) -> None:
        """Close the banks that were opened for a scope."""
        if self._opened is not None:
            self._opened.close()

    def __repr__(self) -> str:
        """Show the backend and the sizes."""
        plan = self.plan
        return (
            f"AutoRecall({self.backend.name!r}, turns={plan.turns}, max_chars={plan.max_chars}, "
            f"token_limit={plan.token_limit})"
        )


def _ended(answer: AskedRecall, state: str) -> AskedRecall:
    return replace(answer, trace=Trace([*answer.trace, Step("state", state)]))


def _open_banks(
    backend: Backend | Scope, scope: Scope | None, settings: Settings
) -> MnemopiScope | None:
    """Open the banks of a Mnemopi scope; None where the backend recalls by itself."""
    if isinstance(backend, Scope):
        if scope is not None:
            raise InputError(
                "Give one scope: AutoRecall(scope), or AutoRecall(backend, scope=scope)."
            )
        scope = backend
        if scope.backend != "mnemopi":
            raise InputError(
                f"A scope of {scope.backend} needs its server: AutoRecall(backend, scope=scope)."
            )
    elif scope is not None and scope.backend != style_of(backend, None):
        raise InputError(f"The scope is one of {scope.backend}, the backend is {backend.name}.")
    if scope is None or scope.backend != "mnemopi":
        return None
    return MnemopiScope(scope, settings=settings)
