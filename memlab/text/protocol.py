"""Marks that the agent writes around what it retains, and how it takes them off again."""

from __future__ import annotations

import re

from .javascript import BLANKS, trim

__all__ = ["is_protocol_line", "strip_protocol"]

_NAME = "[-_a-zA-Z0-9]+"
_BLANK = f"[{re.escape(BLANKS)}]"
_ANY = "[^\n\r\u2028\u2029]"  # what a dot means to the agent
_LINE = re.compile(rf"\[(?:role:{_BLANK}*{_NAME}|{_NAME}:end|timestamp:{_BLANK}+{_ANY}+)\]")
_NEWLINE = re.compile(r"\r?\n")
_GAPS = re.compile(r"\n{3,}")


def is_protocol_line(line: str) -> bool:
    """Tell whether a line is nothing but a role, end or timestamp mark."""
    return bool(_LINE.fullmatch(trim(line)))


def strip_protocol(text: str) -> str:
    """Remove all protocol lines, close the gaps, and trim."""
    kept = (line for line in _NEWLINE.split(text) if not is_protocol_line(line))
    return trim(_GAPS.sub("\n\n", "\n".join(kept)))
