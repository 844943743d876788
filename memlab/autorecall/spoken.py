"""Which messages of a conversation the agent hands to its query composer."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from ..errors import InputError
from ..models import Conversation, Message
from ..text.javascript import trim
from ..text.substance import is_substantive
from .checks import text_given

__all__ = ["Heard", "History", "Said", "Unsaid", "hear", "is_spoken", "spoken"]

History = Literal["spoken", "compaction", "given"]
_ROLES = ("user", "assistant")
_KINDS = ("", "prompt", "reply")


class Said(NamedTuple):
    """One message as the composer gets it; ``place`` counts from 0 in the conversation."""

    place: int
    role: str
    text: str


class Unsaid(NamedTuple):
    """One message that does not reach the query, and why."""

    place: int
    role: str
    text: str
    why: str


class Heard(NamedTuple):
    """What the composer is given: the prompt, the messages, and what was kept from it.

    ``prompt`` is the place of the prompt; the length of the conversation where it is new.
    """

    latest: str
    prompt: int
    messages: tuple[Said, ...]
    unsaid: tuple[Unsaid, ...]


def is_spoken(message: Message) -> bool:
    """Tell whether a message is plain text, not a tool's, a summary or a note of the log."""
    return message.kind in _KINDS


def _silence(message: Message, history: History) -> str:
    """Return why a message does not reach the composer; empty where it does."""
    if history == "given":
        return ""
    if message.role not in _ROLES:
        return f"role {message.role}"
    if not is_spoken(message):
        return f"kind {message.kind}"
    if history == "compaction":
        return "" if trim(message.text) else "blank"
    return "" if is_substantive(message.text) else "no letter or digit"


def spoken(conversation: Conversation, history: History = "spoken") -> list[Message]:
    """Return the messages that the agent takes for memory, by the rules of :func:`hear`."""
    _check(history)
    return [message for message in conversation.messages if not _silence(message, history)]


def _check(history: str) -> None:
    if history not in get_args(History):
        raise InputError(f'history is "spoken", "compaction" or "given", not {history!r}.')


def _last_prompt(conversation: Conversation) -> int:
    for index in range(len(conversation.messages) - 1, -1, -1):
        message = conversation.messages[index]
        if message.role == "user" and is_spoken(message) and trim(message.text):
            return index
    raise InputError(
        f"{conversation!r} has no prompt of a user, so there is nothing to ask. "
        'Give the prompt: latest="..." of compose_query, prompt="..." of AutoRecall.'
    )


def hear(conversation: Conversation, latest: str | None, history: History = "spoken") -> Heard:
    """Take a conversation as the agent does: the new prompt, and what was said.

    Without ``latest`` the last prompt of the user is the new one; a given one is
    added at the end. ``history="spoken"`` keeps what the agent keeps: text of
    user and assistant with at least one letter or digit. ``"compaction"`` keeps
    what it keeps before a compaction: also text of marks alone. ``"given"``
    hands every message in as it is.

    Raises InputError where there is no prompt.
    """
    _check(history)
    if latest is not None:
        text_given("latest", latest)
    prompt = len(conversation.messages) if latest is not None else _last_prompt(conversation)
    said: list[Said] = []
    unsaid: list[Unsaid] = []
    for index, message in enumerate(conversation.messages):
        why = "" if index == prompt else _silence(message, history)
        if why:
            unsaid.append(Unsaid(index, message.role, message.text, why))
        else:
            said.append(Said(index, message.role, message.text))
    if latest is None:
        latest = conversation.messages[prompt].text
    else:
        said.append(Said(prompt, "user", trim(latest)))
    return Heard(trim(latest), prompt, tuple(said), tuple(unsaid))
