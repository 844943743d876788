"""The words of a text, as session search counts them."""

from __future__ import annotations

import re

import regex

from ...text.javascript import length

__all__ = ["query_terms", "terms"]

MIN_UNITS = 2
_ASCII = re.compile(r"\w{2,}", re.ASCII)
_ANY = regex.compile(r"[\p{L}\p{N}_]+")


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, repeated as they are.

    A term is a maximal run of letters, numbers and ``_``, lower-cased by
    itself, of at least two UTF-16 units.
    """
    if text.isascii():
        return _ASCII.findall(text.lower())
    lowered = (run.lower() for run in _ANY.findall(text))
    return [term for term in lowered if len(term) >= MIN_UNITS or length(term) >= MIN_UNITS]


def query_terms(text: str) -> list[str]:
    """Return the distinct terms of a query, in order."""
    return list(dict.fromkeys(terms(text)))
