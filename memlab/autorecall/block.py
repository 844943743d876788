"""The block of memories that the agent puts into the prompt, and what did not fit into it."""

from __future__ import annotations

from typing import NamedTuple

from ..models import Recall
from ..text.javascript import length
from ..text.tags import has_open_block
from ..text.tokens import cut_to_estimate
from .style import Style, block_of, records

__all__ = ["Block", "make_block"]


class Block(NamedTuple):
    """The text that is injected; empty where nothing was recalled.

    ``full_chars`` is its length before the cut in UTF-16 units, ``whole`` are
    the ids of the hits that are in it to the end, ``lost`` those that are not.
    """

    text: str
    full_chars: int
    whole: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def was_cut(self) -> bool:
        """Tell whether the token limit cut something off."""
        return length(self.text) < self.full_chars

    @property
    def is_open(self) -> bool:
        """Tell whether the cut took the closing tag: the agent would not strip this block."""
        return has_open_block(self.text)


def make_block(recall: Recall, style: Style, token_limit: int | None) -> Block:
    """Make the block of an answer, cut to ``token_limit`` tokens of four units; None: no cut."""
    found = records(recall, style)
    full = block_of(found, style)
    text = full if token_limit is None else cut_to_estimate(full, token_limit)
    end = len("\n</memories>")
    fits = sum(
        text.startswith(block_of(found[:count], style)[:-end]) for count in range(1, len(found) + 1)
    )
    return Block(text, length(full), recall.ids[:fits], recall.ids[fits:])
