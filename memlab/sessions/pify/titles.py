"""Titles of sessions: the rule that turns a prompt into one, and whose prompt it is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...text.javascript import BLANKS, length, trim
from .documents import block_text
from .units import join_units, one_blank, spread

__all__ = ["claude_title", "first_typed", "name_for", "title_of", "typed_text"]

MAX_UNITS = 60
_LEAD = "#>-*+" + BLANKS
_MARKS = str.maketrans("", "", "`*_~")
_TAIL = BLANKS + ",;:.!?-"
_LINE = re.compile(r"\r?\n")
_TAG = re.compile(r"<[A-Za-z-]+>")


def title_of(prompt: str, max_units: float = MAX_UNITS) -> str:
    """Return the title made of a prompt's first non-blank line, or "" if it gives none."""
    lines = (trim(line) for line in _LINE.split(prompt))
    line = next((line for line in lines if line), "")
    if line.startswith("/") and one_blank(line) == line and " " not in line:
        return ""
    text = trim(one_blank(line.lstrip(_LEAD).translate(_MARKS)))
    if length(text) <= max_units:
        return text.rstrip(_TAIL)
    cut = spread(text)[: int(max_units)]
    blank = cut.rfind(" ")
    if blank > max_units / 2:
        cut = cut[:blank]
    return join_units(cut.rstrip(_TAIL)) + "…"


def typed_text(entry: object) -> str:
    """Return the text that the user typed in an entry, or "" if the entry is something else."""
    if not isinstance(entry, dict) or isinstance(entry.get("customType"), str):
        return ""
    inner = entry.get("message")
    message = inner if isinstance(inner, dict) else entry
    return block_text(message.get("content")) if message.get("role") == "user" else ""


def first_typed(entries: Iterable[object]) -> str:
    """Return the first text that the user typed, or ""."""
    return next((text for text in map(typed_text, entries) if text), "")


def name_for(entries: Iterable[object], prompt: str = "") -> str:
    """Return the name a session should get, or "" for none.

    The first typed text of the branch wins over the prompt just typed, even
    where it gives no title.
    """
    return title_of(first_typed(entries) or trim(prompt))


def claude_title(user_texts: Iterable[str], session: str) -> str:
    """Return the label of a Claude Code log: its first typed text's title, else the session id.

    Texts that begin with a bare ``<tag>`` of letters and hyphens are not typed.
    """
    typed = next((text for text in user_texts if not _TAG.match(text)), "")
    return f"claude · {title_of(typed) or session}"
