"""Recorded conversations walked again: what would have been asked, recalled and injected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pandas as pd

from ..backends import Backend
from ..errors import InputError, MemlabError
from ..frames import Column, to_frame
from ..models import Conversation, Outcome, Scope
from ..text.dates import iso_millis
from ..text.javascript import length, well_formed
from ..text.tokens import estimate_tokens
from .asking import AskedRecall, ask
from .auto import AutoRecall
from .checks import items_of
from .points import Every, Point, points
from .recorded import Path, Recorded, conversation_of
from .spoken import History

__all__ = ["replay"]

COLUMNS = (
    Column("conversation"),
    Column("title"),
    Column("turn", "int"),
    Column("message", "int"),
    Column("time", "time"),
    Column("prompt"),
    Column("prompt_chars", "int"),
    Column("query"),
    Column("query_chars", "int"),
    Column("was_truncated", "bool"),
    Column("dropped_chars", "int"),
    Column("lines_kept", "int"),
    Column("lines_dropped", "int"),
    Column("outcome"),
    Column("hits", "int"),
    Column("new_hits", "int"),
    Column("ids", "object"),
    Column("block"),
    Column("block_chars", "int"),
    Column("block_tokens", "int"),
    Column("block_cut", "bool"),
    Column("note"),
)


def replay(
    conversations: Conversation | Recorded | Iterable[Any],
    backend: Backend | Scope,
    *,
    every: Every = "first",
    as_of: bool = False,
    path: Path = "file",
    progress: bool = False,
    **options: Any,
) -> pd.DataFrame:
    """Walk through conversations and ask at each place what an agent would have asked there.

    ``every`` is "first" (the first prompt, where the agent recalls), "user-turn"
    (every prompt) or "compaction". ``conversations`` are conversations, lists
    of messages, or recorded sessions, of which ``path`` "file" takes what the
    agent's memory reads (all of the file in its order), "active" only the path
    that led to the end. ``as_of=True`` asks the bank as it was at the time of each message, for which the backend needs
    an ``as_of``. ``options`` are those of :class:`AutoRecall`, and of the backend.

    One row per place, also where nothing was asked or the recall failed:
    ``outcome`` is missing or says how it failed, ``note`` why. Columns:
    conversation, title, turn (prompts from 1), message (its place from 0),
    time, prompt, prompt_chars, query, query_chars, was_truncated,
    dropped_chars, lines_kept, lines_dropped, outcome, hits, new_hits (memories
    that no earlier place of this conversation brought), ids, block,
    block_chars, block_tokens (a quarter of the units), block_cut, note.
    Lengths are in UTF-16 units.

    Raises InputError for what cannot be asked, and where the bank cannot be
    asked as of a time.
    """
    with AutoRecall(backend, **options) as auto:
        if as_of and not hasattr(auto.backend, "as_of"):
            raise InputError(
                f"{auto.backend.name} cannot be asked as of a time; leave out as_of=True, or use a "
                "backend with an as_of method, such as a Mnemopi bank."
            )
        rows: list[dict[str, Any]] = []
        for item in _watched(_listed(conversations), progress):
            talk = conversation_of(item, path, compactions=every == "compaction")
            rows += _walk(auto, talk, every, as_of)
    return to_frame(rows, COLUMNS)


def _listed(conversations: Any) -> list[Any]:
    """Return the conversations or sessions; a single one is a list of one."""
    alone = isinstance(conversations, Conversation | Recorded)
    return [conversations] if alone else items_of("conversations", conversations)


def _watched(items: list[Any], progress: bool) -> Iterable[Any]:
    if not progress:
        return items
    from tqdm.auto import tqdm  # draws only where asked for

    watched: Iterable[Any] = tqdm(items, desc="replay", unit="conversation")
    return watched


def _walk(
    auto: AutoRecall, talk: Conversation, every: Every, as_of: bool
) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    history: History = "compaction" if every == "compaction" else "spoken"
    for point in points(talk, every):
        time = point.message.time if point.message else None
        row = _place(talk, point)
        if point.why:
            yield row | {"note": point.why}
        elif as_of and time is None:
            yield row | {"outcome": Outcome.REFUSED, "note": "the message has no time to ask as of"}
        else:
            try:
                with _backend_at(auto.backend, time if as_of else None) as backend:
                    answer = ask(auto.plan, backend, point.talk, None, history)
            except InputError:
                raise
            except MemlabError as error:  # the past of the bank could not be opened
                yield row | {"outcome": Outcome(error.outcome), "note": str(error)}
                continue
            yield row | _answered(answer, seen)
            seen |= set(answer.recall.ids if answer.recall else ())


@contextmanager
def _backend_at(backend: Backend, time: datetime | None) -> Iterator[Backend]:
    """Give the backend as it was at a time; as it is without one."""
    if time is None:
        yield backend
        return
    then: Backend = backend.as_of(iso_millis(time))  # type: ignore[attr-defined]
    try:
        yield then
    finally:
        then.close()


def _place(talk: Conversation, point: Point) -> dict[str, Any]:
    message, prompt = point.message, point.prompt
    return {
        "conversation": talk.id,
        "title": talk.title,
        "turn": point.turn,
        "message": point.place,
        "time": message.time if message else None,
        "prompt": well_formed(prompt.text) if prompt else None,
        "prompt_chars": prompt.chars if prompt else None,
    }


def _answered(answer: AskedRecall, seen: set[str]) -> dict[str, Any]:
    query, ids = answer.query, answer.recall.ids if answer.recall else ()
    asked = {} if query is None else {
        "query": query.text,
        "query_chars": query.chars,
        "was_truncated": query.was_truncated,
        "dropped_chars": query.dropped_chars,
        "lines_kept": len(query.kept),
        "lines_dropped": len(query.dropped),
    }  # fmt: skip
    if answer.error is not None:
        return {**asked, "outcome": answer.outcome, "note": str(answer.error)}
    block = answer.block
    return {
        **asked,
        "outcome": answer.outcome,
        "hits": len(ids),
        "new_hits": len(set(ids) - seen),
        "ids": ids,
        "block": well_formed(block),
        "block_chars": length(block),
        "block_tokens": estimate_tokens(block),
        "block_cut": answer.injected.was_cut if answer.injected else None,
        "note": "; ".join(query.notes) if query else "",
    }
