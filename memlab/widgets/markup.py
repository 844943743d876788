"""Pieces of HTML in which every text is text: memory text is hostile."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from ..text.javascript import well_formed

__all__ = ["escaped", "note", "prose", "tag"]


def escaped(text: object) -> str:
    """Return a text fit for HTML, inside elements and inside quoted attributes.

    Half a character, which a cut in the middle of an emoji leaves behind, becomes
    U+FFFD: a notebook cannot send it to the browser at all.
    """
    return escape(well_formed(str(text)), quote=True)


def tag(name: str, inner: str, **attributes: object) -> str:
    """Return an element; ``inner`` is HTML, attributes are text (``class_`` is class)."""
    given = "".join(
        f' {key.rstrip("_")}="{escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{inner}</{name}>"


def prose(text: str, class_: str = "memlab-text") -> str:
    """Return a text as it is, line by line, reading in its own direction."""
    return tag("div", escaped(text), class_=class_, dir="auto")


def note(parts: Iterable[str]) -> str:
    """Return a line of small grey text; the parts are text, joined by dots."""
    spans = (tag("span", escaped(part)) for part in parts if part)
    return tag("div", " · ".join(spans), class_="memlab-note")
