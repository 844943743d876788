"""Which texts say anything at all."""

from __future__ import annotations

import regex

__all__ = ["is_substantive"]

_SAYS_SOMETHING = regex.compile(r"[\p{L}\p{N}]")


def is_substantive(text: str) -> bool:
    """Tell whether a text has at least one letter or digit, of any script.

    The agents leave out what has none: some models answer a lone "." beside a tool call.
    """
    return _SAYS_SOMETHING.search(text) is not None
