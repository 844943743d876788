"""Folder names that agents make of working directories."""

from __future__ import annotations

import re

from ...text.javascript import cut, length
from .units import spread

__all__ = ["MAX_SLUG_UNITS", "claude_slug", "pify_slug"]

MAX_SLUG_UNITS = 200
_SEPARATORS = re.compile(r"[\\/:]")
_OTHERS = re.compile(r"[^a-zA-Z0-9]")


def pify_slug(cwd: str) -> str:
    """Return the slug by which @pify/recall looks for Claude logs; separators become ``-``."""
    return _SEPARATORS.sub("-", cwd)


def claude_slug(cwd: str) -> str:
    """Return the slug Claude Code itself makes: every unit but ASCII letters and digits is ``-``.

    Of more than 200 units the first 200 are kept, with a hash behind them that
    this function does not know: names that long end with ``-`` here, and are
    looked for by their beginning.
    """
    slug = _OTHERS.sub("-", spread(cwd))
    return slug if length(slug) <= MAX_SLUG_UNITS else f"{cut(slug, 0, MAX_SLUG_UNITS)}-"
