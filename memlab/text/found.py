"""The head that the agents' recall tool puts over what it found."""

from __future__ import annotations

__all__ = ["NOTHING_FOUND", "counted", "found_text"]

NOTHING_FOUND = "No relevant memories found."


def counted(count: int) -> str:
    """Return "1 memory", "2 memories"."""
    return "1 memory" if count == 1 else f"{count} memories"


def found_text(count: int, entries: str, now: str) -> str:
    """Return what the recall tool answers; ``now`` is the clock as ISO text in UTC."""
    if not count:
        return NOTHING_FOUND
    noun = counted(count).partition(" ")[2]
    return f"Found {count} relevant {noun} (as of {now[:10]} {now[11:16]} UTC):\n\n{entries}"
