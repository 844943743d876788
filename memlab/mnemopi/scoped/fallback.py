"""The query that the agent asks the shared bank a second time: without the project's name."""

from __future__ import annotations

import re

from ...errors import InputError
from ...text.javascript import BLANKS, collapse_blanks, trim

__all__ = ["fallback_query", "name_tokens"]

_BLANK = f"[{re.escape(BLANKS)}]"
_MARKS = "?!.,;:"
_RUN = re.compile("[a-z0-9]+")
_OTHER = re.compile("[^a-z0-9]+")
_BEFORE_MARK = re.compile(f"{_BLANK}+([{_MARKS}])")
# The runtime's word boundaries and small letters are those of ASCII.
_DANGLING = re.compile(rf"\b(?:and|or){_BLANK}*([{_MARKS}]|\Z)", re.ASCII | re.IGNORECASE)


def name_tokens(bank: str) -> list[str]:
    """Return the words of a bank's name, each once: its base, its project, its hash."""
    return list(dict.fromkeys(_RUN.findall(bank.lower())))


def fallback_query(query: str, project_bank: str, shared_bank: str | None) -> str | None:
    """Return what the agent asks the shared bank in addition to the query, or None.

    The words of the project bank's name (its hash too) are taken out of the
    query, first as one phrase, then one by one, wherever they stand; a blank
    before a mark and an "and" or "or" left hanging go too. None where there is
    no shared bank, where nothing is taken out, or where nothing is left.
    Source: the agent (18.3.4), asked about random queries.
    """
    if not isinstance(query, str):
        raise InputError(f"A query is text, not {type(query).__name__}: {query!r}.")
    if not isinstance(project_bank, str):
        raise InputError(f"project_bank={project_bank!r} is no name of a bank.")
    if not shared_bank or project_bank == shared_bank:
        return None
    tokens = name_tokens(project_bank)
    if not tokens:
        return None
    broad = query
    if len(tokens) > 1:
        broad = _without(broad, f"[{re.escape(BLANKS)}_-]+".join(tokens))
    for token in tokens:
        broad = _without(broad, token)
    broad = _tidy(broad)
    words = _words(broad)
    return broad if words and words != _words(query) else None


def _without(text: str, pattern: str) -> str:
    return re.sub(rf"\b{pattern}\b", " ", text, flags=re.ASCII | re.IGNORECASE)


def _tidy(text: str) -> str:
    text = _BEFORE_MARK.sub(r"\1", text)
    return trim(collapse_blanks(_DANGLING.sub(r"\1", text)))


def _words(text: str) -> str:
    return _OTHER.sub(" ", text.lower()).strip(" ")
