"""The blocks of memory that an agent puts into a prompt, and how it takes them out again."""

from __future__ import annotations

import re

__all__ = ["BLOCK_NAMES", "has_open_block", "strip_memory_blocks"]

BLOCK_NAMES = ("memories", "mental_models", "hindsight_memories", "relevant_memories")
"""The names of the blocks, in the order in which the agent looks for them."""

_BLOCKS = [re.compile(f"<{name}>.*?</{name}>", re.DOTALL) for name in BLOCK_NAMES]
_OPENINGS = tuple(f"<{name}>" for name in BLOCK_NAMES)


def strip_memory_blocks(text: str) -> str:
    """Remove every memory block, each up to the nearest closing tag, across lines.

    One name after the other, so a block inside another one of a different name
    goes with it, or leaves an unclosed tag behind. A block that is never
    closed stays.
    """
    for block in _BLOCKS:
        text = block.sub("", text)
    return text


def has_open_block(text: str) -> bool:
    """Tell whether a memory block is left that stripping does not remove."""
    rest = strip_memory_blocks(text)
    return any(opening in rest for opening in _OPENINGS)
