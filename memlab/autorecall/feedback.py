"""What happens when a memory is told what it has just recalled: a simulator of feedback loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import pandas as pd

from ..errors import InputError
from ..frames import Column, to_frame
from ..models import Conversation, Message
from ..text.javascript import length, trim
from ..text.protocol import strip_protocol
from ..text.substance import is_substantive
from .checks import items_of, whole_number
from .compose import Talk
from .scratch import ScratchMemory
from .transcripts import transcript

__all__ = ["LoopMemory", "each_line", "feedback_loop"]

LOOP_COLUMNS = (
    Column("strip", "bool"),
    Column("round", "int"),
    Column("hits", "int"),
    Column("block_chars", "int"),
    Column("transcript_chars", "int"),
    Column("retained", "int"),
    Column("echoes", "int"),
    Column("memories", "int"),
    Column("growth", "int"),
)


class LoopMemory(Protocol):
    """A memory that a loop can be run on: it recalls a block and takes texts in."""

    def block(self, query: str) -> str:
        """Return what would be injected for a query; empty for nothing."""
        ...

    def retain(self, texts: Sequence[str]) -> None:
        """Store texts."""
        ...

    def __len__(self) -> int:
        """Return how many memories there are."""
        ...


def each_line(text: str) -> list[str]:
    """Take every line of a transcript for a memory, as an extractor does that believes all."""
    lines = map(trim, strip_protocol(text).split("\n"))
    return [line for line in lines if is_substantive(line)]


def feedback_loop(
    conversation: Talk,
    rounds: int = 10,
    *,
    strip: Iterable[bool] = (True, False),
    memory: Callable[[], LoopMemory] = ScratchMemory,
    extract: Callable[[str], Sequence[str]] = each_line,
) -> pd.DataFrame:
    """Recall and retain the same conversation again and again, with and without stripping.

    In each round the prompt is recalled for, the block is put before it as the
    agent's context has it, the talk is written down as a transcript, and what
    ``extract`` makes of that is retained. Since nothing new is said, a sound
    memory stops growing after the first round.

    ``memory`` makes a fresh memory for each run, by default a small one that
    recalls by shared words and stores an equal text once. One row per run and
    round: strip, round, hits (lines of the block that are memories),
    block_chars, transcript_chars, retained (texts), echoes (retained texts that
    the block had said), memories (after the round), growth.

    Raises InputError for a conversation without a prompt, and for less than one round.
    """
    whole_number("rounds", rounds, least=1)
    talk = Conversation.of(conversation)
    prompts = [m.text for m in talk.messages if m.role == "user" and trim(m.text)]
    if not prompts:
        raise InputError(f"{talk!r} has no prompt of a user, so nothing is recalled for.")
    rows = [
        row
        for way in items_of("strip", strip)
        for row in _run(talk, prompts[-1], rounds, strip=way, memory=memory(), extract=extract)
    ]
    return to_frame(rows, LOOP_COLUMNS)


def _run(
    talk: Conversation,
    prompt: str,
    rounds: int,
    *,
    strip: bool,
    memory: LoopMemory,
    extract: Callable[[str], Sequence[str]],
) -> Iterator[dict[str, Any]]:
    for number in range(1, rounds + 1):
        before = len(memory)
        block = memory.block(prompt)
        said = [Message("user", f"{block}\n\n{prompt}" if block else prompt), *_rest(talk, prompt)]
        written = transcript(Conversation(tuple(said)), strip=strip).text or ""
        texts = list(extract(written)) if written else []
        memory.retain(texts)
        told = set(block.split("\n"))
        yield {
            "strip": strip,
            "round": number,
            "hits": sum(line.startswith("- ") for line in told),
            "block_chars": length(block),
            "transcript_chars": length(written),
            "retained": len(texts),
            "echoes": sum(text in told for text in texts),
            "memories": len(memory),
            "growth": len(memory) - before,
        }


def _rest(talk: Conversation, prompt: str) -> list[Message]:
    """Return what else is said: all but the prompt that the block is put before."""
    place = max(place for place, m in enumerate(talk.messages) if m.text == prompt)
    return [message for number, message in enumerate(talk.messages) if number != place]
