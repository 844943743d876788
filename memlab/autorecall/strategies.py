"""Ways to make a query of a conversation: the agent's, and others to compare it with.

A strategy is a plain function: it takes a :class:`Draft` and returns the query.
Write your own as one; ``draft.latest`` is the prompt, ``draft.context`` what was
said before, ``draft.text`` both as the agent composes them, ``draft.max_chars``
the room (0 or less: no limit).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from ..errors import InputError
from ..text.javascript import trim
from ..text.units import joined, units
from .draft import Draft
from .salience import Corpus, salient_terms
from .truncate import truncate

__all__ = ["SALIENT", "STRATEGIES", "Strategy", "strategy_named"]

Strategy = Callable[[Draft], str]
SALIENT = "salient terms"
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
_JOINT = "\n"


def agent(draft: Draft) -> str:
    """Cut as the agent does: oldest context lines first, then the end of the prompt."""
    return truncate(draft.text, draft.latest, draft.max_chars)


def head(draft: Draft) -> str:
    """Keep the first units of the whole query."""
    return _slice(draft, draft.max_chars, 0)


def tail(draft: Draft) -> str:
    """Keep the last units of the whole query, so that the question survives."""
    return _slice(draft, 0, draft.max_chars)


def head_and_tail(draft: Draft) -> str:
    """Keep the first and the last half of the room, a newline between them."""
    last = (draft.max_chars - len(_JOINT)) // 2
    return _slice(draft, draft.max_chars - len(_JOINT) - last, last)


def last_sentence(draft: Draft) -> str:
    """Ask the last sentence of the prompt alone; a longer one keeps its end."""
    whole = units(draft.latest)
    parts = [part for part in map(trim, _SENTENCE_END.split(whole)) if part]
    sentence = parts[-1] if parts else whole
    return joined(sentence[-draft.max_chars :] if draft.max_chars > 0 else sentence)


def whole_messages(draft: Draft) -> str:
    """Drop the oldest messages whole, never a part of one; the prompt is cut as the agent's."""
    if draft.max_chars <= 0:
        return draft.text
    entries, room = draft.entries, draft.max_chars
    for start in range(len(entries)):
        query = draft.with_context(entries[start:])
        if len(units(query)) <= room:
            return query
    return joined(units(draft.latest)[:room])


STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        "agent": agent,
        "head": head,
        "tail": tail,
        "head+tail": head_and_tail,
        "last sentence": last_sentence,
        "whole messages": whole_messages,
    }
)
"""The strategies that need nothing but the conversation, by name."""


def strategy_named(strategy: str | Strategy, corpus: Corpus | None = None) -> tuple[str, Strategy]:
    """Return a strategy and its name.

    ``"salient terms"`` needs a ``corpus``: a backend, its memories, or texts.
    Raises InputError for a name that is not there, and for salient terms without a corpus.
    """
    if callable(strategy):
        own = getattr(strategy, "__name__", type(strategy).__name__)
        return next((name for name, ours in STRATEGIES.items() if ours is strategy), own), strategy
    if strategy == SALIENT:
        if corpus is None:
            raise InputError(
                'The strategy "salient terms" weighs words against a corpus. Give one: '
                "corpus=bank, or a list of texts."
            )
        return strategy, salient_terms(corpus)
    if strategy not in STRATEGIES:
        raise InputError(_unknown(strategy))
    return strategy, STRATEGIES[strategy]


def _unknown(name: Any) -> str:
    names = [*STRATEGIES, SALIENT]
    near = get_close_matches(str(name), names, n=1)
    hint = f' Did you mean "{near[0]}"?' if near else ""
    return f"There is no strategy {name!r}.{hint} There are: {', '.join(names)}, or any function."


def _slice(draft: Draft, first: int, last: int) -> str:
    """Keep the first and last units of a query that does not fit."""
    whole = units(draft.text)
    if draft.max_chars <= 0 or len(whole) <= draft.max_chars:
        return joined(whole)
    parts = [whole[:first] if first > 0 else "", whole[-last:] if last > 0 else ""]
    return joined(_JOINT.join(part for part in parts if part))
