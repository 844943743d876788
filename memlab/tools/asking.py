"""The tools that ask: recall and reflect."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from ..autorecall.checks import text_given
from ..autorecall.style import Style, agent_defaults, records, texts_of
from ..backends import Backend
from ..errors import InputError, MemlabError
from ..mnemopi import texts as mnemopi_texts
from ..models import Recall
from ..settings import Settings
from ..text.javascript import trim
from .protocols import Reflecting
from .result import ToolResult
from .session import clock, ready, settings_of, way_of

__all__ = ["recall", "reflect"]

log = logging.getLogger("memlab.tools")
NOTHING = "No relevant information found to reflect on."


def recall(
    backend: Backend | None,
    query: str,
    *,
    now: datetime | str | None = None,
    style: Style | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> ToolResult:
    """Recall for the model: the list of memories that the agent's ``recall`` tool answers.

    The query goes to the backend as it is; turns and lengths are matters of
    automatic recall, whose state is not touched. ``now`` is the clock: of a
    Mnemopi recall, and in the head of the list. Without an answer the result is
    marked useless.

    Raises what the backend raises, after a warning in the log ``memlab.tools``, and
    BackendUnavailable where there is none.
    """
    way, known = way_of(backend, style, settings), settings_of(backend, settings)
    with _warning("recall", asked := ready(backend, way)):
        answer = _asked(asked, query, way, known, now=now, options=options)
    moment = getattr(answer, "now", "") or clock(now)
    return ToolResult(
        texts_of(way).tool_text(records(answer, way), moment), useless=not answer.hits
    )


def reflect(
    backend: Backend | None,
    query: str,
    context: str | None = None,
    *,
    now: datetime | str | None = None,
    style: Style | None = None,
    settings: Settings | None = None,
    **options: Any,
) -> ToolResult:
    """Answer a question from memory as the agent's ``reflect`` tool does.

    Hindsight reasons on the server, with the budget of the settings. Mnemopi
    does not reason at all: it recalls for query and context, and lists what it
    finds as top facts, supporting context and recent signals.

    Raises what the backend raises, after a warning in the log ``memlab.tools``, and
    BackendUnavailable where there is none.
    """
    text_given("query", query)
    if context is not None:
        text_given("context", context)
    way, known = way_of(backend, style, settings), settings_of(backend, settings)
    asked = ready(backend, way)
    if way == "hindsight":
        with _warning("reflect", asked):
            return ToolResult(_reflected(asked, query, context, known, options))
    if context is not None and trim(context):
        query = f"{trim(query)}\n\nAdditional context:\n{trim(context)}"
    with _warning("reflect", asked):
        answer = _asked(asked, query, way, known, now=now, options=options)
    found = records(answer, way)
    text = (
        f"Based on recalled memories:\n\n{mnemopi_texts.context_text(found)}" if found else NOTHING
    )
    return ToolResult(text)


@contextmanager
def _warning(call: str, backend: Any) -> Iterator[None]:
    """Log a failed call with its bank, as the agent does, and let it through."""
    try:
        yield
    except InputError:
        raise  # nothing was asked
    except MemlabError as error:
        bank = getattr(backend, "bank", None) or getattr(backend, "name", backend)
        log.warning("%s failed: bank %s: %s", call, bank, error)
        raise


def _asked(
    backend: Backend,
    query: str,
    style: Style,
    settings: Settings,
    *,
    now: datetime | str | None,
    options: dict[str, Any],
) -> Recall:
    stopped = {} if now is None or style == "hindsight" else {"now": now}
    given = {**agent_defaults(style, settings).options, **stopped, **options}
    return backend.recall(query, **given)


def _reflected(
    backend: Any, query: str, context: str | None, settings: Settings, options: dict[str, Any]
) -> str:
    if not isinstance(backend, Reflecting):
        raise InputError(f"{backend!r} has no reflect, which a Hindsight backend must have.")
    given = {"budget": settings.hindsight.recall_budget, **options}
    answer = backend.reflect(query, context=context, **given)
    return trim(answer if isinstance(answer, str) else answer.text or "") or NOTHING
