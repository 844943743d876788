"""What the agent would ask of a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InputError
from ..models import Conversation, Message
from ..text.units import joined
from .checks import whole_number
from .draft import Draft, draft_query
from .marks import lines_by_search, lines_of_agent
from .query import ComposedQuery
from .salience import Corpus
from .spoken import History, hear
from .strategies import STRATEGIES, Strategy, strategy_named
from .traps import cut_notes, draft_notes
from .truncate import cut_query

__all__ = ["Talk", "compose_query"]

Talk = Conversation | Iterable[Message | Mapping[str, Any] | str]


def compose_query(
    conversation: Talk,
    turns: int = 3,
    max_chars: int = 4000,
    *,
    strategy: str | Strategy = "agent",
    latest: str | None = None,
    corpus: Corpus | None = None,
    history: History = "spoken",
) -> ComposedQuery:
    """Compose the query that would be asked of a conversation, and tell what became of each line.

    The last prompt of the user is asked, or ``latest``, which is added to the
    conversation as the agent adds a new prompt. ``turns`` counts the user
    messages that are taken along, the prompt among them: 1 is the prompt alone.
    ``max_chars`` is the room in UTF-16 units, 0 for no limit. The defaults are
    the agent's for Mnemopi; for Hindsight it uses 1 and 800.

    ``strategy`` is a name of :data:`STRATEGIES`, ``"salient terms"`` (with a
    ``corpus``), or a function that makes a text of a :class:`Draft`.
    ``history="given"`` asks every message as it is, where the agent would take
    the text of user and assistant alone.

    Raises InputError for what cannot be composed.
    """
    talk = Conversation.of(conversation)
    whole_number("turns", turns)
    whole_number("max_chars", max_chars)
    heard = hear(talk, latest, history)
    draft = draft_query(heard.latest, heard.messages, turns, max_chars)
    name, make = strategy_named(strategy, corpus)
    if make is STRATEGIES["agent"]:
        query, kept = cut_query(draft.text, draft.latest, max_chars)
        lines = lines_of_agent(heard, draft, kept, query)
    else:
        query = _made(name, make, draft)
        lines = lines_by_search(heard, draft, query, name)
    notes = (*draft_notes(heard, draft, history), *cut_notes(draft, lines, query))
    return ComposedQuery(query, draft.text, lines, name, turns, max_chars, notes)


def _made(name: str, make: Strategy, draft: Draft) -> str:
    query = make(draft)
    if not isinstance(query, str):
        raise InputError(
            f"The strategy {name} gave {type(query).__name__} {query!r:.80}; a query is text."
        )
    return joined(query)
