"""Auto-recall: whether a first prompt is worth a search, and the block it brings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.javascript import BLANKS, length, trim
from .terms import query_terms
from .texts import Found, heading, label

__all__ = ["AUTO_HITS", "MAX_BLOCK_UNITS", "recall_block", "worth_it"]

AUTO_HITS = 3
MAX_BLOCK_UNITS = 2500
MIN_PROMPT_UNITS, MIN_TERMS = 20, 3
_INTRO = (
    "Snippets from PAST sessions on this machine that share terms with the request. "
    "Prior context, not current truth:\nverify against the code as it is now before relying "
    "on any of it, and use session_search for more.\n"
)
_TAG = re.compile(f"<(/?)recall-auto((?:[{re.escape(BLANKS)}][^>]*)?)>", re.IGNORECASE | re.ASCII)


def worth_it(prompt: str) -> bool:
    """Tell whether a prompt is searched for by itself: long enough, no command, three terms."""
    text = trim(prompt)
    if length(text) < MIN_PROMPT_UNITS or text.startswith("/"):
        return False
    return len(query_terms(text)) >= MIN_TERMS


def _neutral(text: str) -> str:
    """Disarm the block's own tags, so that an old text cannot end the block."""
    return _TAG.sub(lambda match: f"&lt;{match[1]}recall-auto{match[2]}&gt;", text)


def recall_block(hits: Sequence[Found], max_units: float = MAX_BLOCK_UNITS) -> str | None:
    """Return the hidden message for the hits, or None without hits.

    The first hit is always there; the first that would go over the limit ends
    the list. Raises InvalidTime where a hit's time is beyond all dates.
    """
    if not hits:
        return None
    opening = f"<recall-auto>\n{_INTRO}"
    shown, used = "", length(opening)
    for place, hit in enumerate(hits):
        top = heading(hit, strict=True, title=_neutral(label(hit)))
        item = f"{top}\n  {_neutral(hit.snippet)}\n"
        if place and used + length(item) > max_units:
            break
        shown, used = f"{shown}\n{item}", used + length(item)
    return f"{opening}{shown}\n</recall-auto>"
