"""The places of a conversation at which an agent recalls, or could."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

from ..errors import InputError
from ..models import Conversation, Message
from ..text.javascript import trim
from .spoken import is_spoken

__all__ = ["Every", "Point", "points"]

Every = Literal["first", "user-turn", "compaction"]


class Point(NamedTuple):
    """One place: the conversation up to it, and the message that stands there.

    ``turn`` counts the user's prompts from 1, ``prompt`` is the one that is asked
    there. ``message`` is None where the conversation has no such place at all;
    ``why`` says why nothing can be asked.
    """

    talk: Conversation
    turn: int
    place: int
    message: Message | None
    prompt: Message | None
    why: str = ""


def points(talk: Conversation, every: Every) -> Iterator[Point]:
    """Yield the places: the first prompt, every prompt, or every compaction.

    A conversation without any gives one place that says so. Raises InputError
    for another ``every``.
    """
    if every not in get_args(Every):
        raise InputError(f'every is "first", "user-turn" or "compaction", not {every!r}.')
    found = _compactions(talk) if every == "compaction" else _prompts(talk)
    count = 0
    for point in found:
        count += 1
        yield point
        if every == "first" and not point.why:
            return
    if count == 0:
        kind = "compaction" if every == "compaction" else "prompt of a user"
        yield Point(talk, 0, len(talk), None, None, f"the conversation has no {kind}")


def _prompts(talk: Conversation) -> Iterator[Point]:
    turn = 0
    for place, message in enumerate(talk.messages):
        if _is_prompt(message):
            turn += 1
            why = "" if trim(message.text) else "the prompt is blank"
            yield Point(_until(talk, place + 1), turn, place, message, message, why)


def _compactions(talk: Conversation) -> Iterator[Point]:
    turn, prompt = 0, None
    for place, message in enumerate(talk.messages):
        if _is_prompt(message) and trim(message.text):
            turn, prompt = turn + 1, message
        if message.kind == "summary":
            why = "" if prompt else "no prompt before the compaction"
            yield Point(_until(talk, place), turn, place, message, prompt, why)


def _is_prompt(message: Message) -> bool:
    return message.role == "user" and is_spoken(message)


def _until(talk: Conversation, place: int) -> Conversation:
    return replace(talk, messages=talk.messages[:place])
