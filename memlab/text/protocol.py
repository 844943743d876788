"""Marks that the agent writes around what it retains, and how it takes them off again."""

from __future__ import annotations

import re

from .javascript import trim

__all__ = ["is_protocol_line", "strip_protocol"]

_NAME = "[-_a-zA-Z0-9]+"
_LINE = re.compile(rf"\[role: ?{_NAME}\]|\[{_NAME}:end\]|\[timestamp: .+\]")
_NEWLINE = re.compile(r"\r?\n")
_GAPS = re.compile(r"\n{3,}")


def is_protocol_line(line: str) -> bool:
    """Tell whether a line is nothing but a role, end or timestamp mark."""
    return bool(_LINE.fullmatch(trim(line)))


def strip_protocol(text: str) -> str:
    """Remove all protocol lines, close the gaps, and trim."""
    kept = (line for line in _NEWLINE.split(text) if not is_protocol_line(line))
    return trim(_GAPS.sub("\n\n", "\n".join(kept)))
