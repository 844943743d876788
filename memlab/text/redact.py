"""Secrets in a text: the agent puts a mark in their place before it writes a memory.

A stored memory goes back into prompts, turn after turn, so a token must not be
in it. The agent looks for shapes, not for meanings. It finds

* a run of letters, digits, ``-`` and ``_`` in which ``password``, ``secret``,
  ``token``, ``key``, ``tok``, ``sk``, ``pk`` or ``rk`` stands before a ``-`` or
  ``_``, and a long part follows: 12 letters and digits mixed, or 16 of one kind;
* three parts of 16 or more joined by dots, as in a JSON web token;
* the tokens of some services, by their first letters.

It does not find passwords in URLs, PEM blocks, ``Bearer`` or ``password: x``.
It takes ordinary words for secrets where they have the shape: of
``task-internationalization`` it leaves ``ta``. Both were measured on the agent
(package version 18.3.4), and are kept.
"""

from __future__ import annotations

import re

__all__ = ["MARK", "redact"]

MARK = "[REDACTED]"
"""What stands in the place of a secret."""

_MIXED = 12
_ONE_KIND = 16
# 15: the shortest of the words, a dash, and the shortest part that counts.
_RUN = re.compile(r"[A-Za-z0-9_-]{15,}")
_PART = re.compile(r"[A-Za-z0-9]{12,}")
_WORD = re.compile(r"(?:password|secret|token|key|tok|sk|pk|rk)[-_]")
# Looking back keeps it to one try per run: a long run without dots costs no more than its length.
_WEB_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]{16,}){2}")
_SERVICES = tuple(
    map(
        re.compile,
        (
            r"(?:AKIA|ASIA)[A-Z0-9]{16}",  # Amazon
            r"gh[pousr]_[A-Za-z0-9]{20,}",  # GitHub
            r"github_pat_[A-Za-z0-9_]{20,}",
            r"npm_[A-Za-z0-9]{30,}",
            r"xox[baprs]-[A-Za-z0-9-]{10,}",  # Slack
            r"AIza[A-Za-z0-9_-]{30,}",  # Google
        ),
    )
)


def redact(text: str) -> str:
    """Return a text with ``[REDACTED]`` in the place of every secret, as the agent stores it."""
    text = _RUN.sub(_named, text)
    # A dot at the very beginning ends the agent's search for web tokens before it starts.
    if not text.startswith("."):
        text = _WEB_TOKEN.sub(MARK, text)
    for service in _SERVICES:
        text = service.sub(MARK, text)
    return text


def _named(found: re.Match[str]) -> str:
    """Cut a run at the first of the words that has a long part somewhere behind it."""
    run = found[0]
    last = max((part.start() for part in _PART.finditer(run) if _is_long(part[0])), default=0)
    word = _WORD.search(run, 0, last)
    return run if word is None else run[: word.start()] + MARK


def _is_long(part: str) -> bool:
    mixed = not part.isalpha() and not part.isdigit()
    return len(part) >= (_MIXED if mixed else _ONE_KIND)
