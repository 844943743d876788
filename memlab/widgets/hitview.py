"""One hit in full: where it comes from, the parts of its score, its whole text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import MemlabError
from ..models import Hit
from .markup import escaped, note, prose, tag

__all__ = ["hit_html", "stored_text"]


def stored_text(backend: Any, hit: Hit) -> str | None:
    """Return the whole stored text of a hit that recall has cut; None where it is not to be had."""
    get = getattr(backend, "get", None)
    if get is None or not hit.raw.get("truncated"):
        return None
    try:
        return str(get(hit.id).text)
    except MemlabError:
        return None


def hit_html(hit: Hit, parts: Mapping[str, str], stored: str | None = None) -> str:
    """Return a hit as HTML, every text escaped.

    ``parts`` says what each part of the score is; ``stored`` is the text
    before recall cut it.
    """
    place = [
        getattr(hit, "bank", ""),
        hit.tier,
        hit.source or "no source",
        hit.timestamp or "no time",
    ]
    head = tag("div", f"{hit.rank}. {escaped(hit.id)}", class_="memlab-title")
    pieces = [
        head,
        note(place),
        _bars(hit, parts),
        prose(hit.text),
        _cut(hit, stored),
        _record(hit),
    ]
    return "".join(pieces)


def _bars(hit: Hit, parts: Mapping[str, str]) -> str:
    rows = [_bar("score", hit.score, "what the hits are ordered by, before variety", "memlab-sum")]
    rows += [_bar(name, value, parts.get(name, "")) for name, value in hit.scores.items()]
    return tag("div", "".join(rows), class_="memlab-bars")


def _bar(name: str, value: float | None, meaning: str, class_: str = "") -> str:
    label = name.replace("_", " ")
    if value is None:
        return tag("div", tag("span", escaped(label)) + tag("b", "") + tag("code", "none"))
    width = 100 * min(max(value, 0.0), 1.0)
    cells = (
        tag("span", escaped(label)),
        tag("b", tag("i", "", style=f"width:{width:.1f}%")),
        tag("code", f"{value:.4f}"),
    )
    return tag("div", "".join(cells), class_=class_ or None, title=meaning or None)


def _cut(hit: Hit, stored: str | None) -> str:
    if not hit.raw.get("truncated"):
        return ""
    words = f"Cut by recall: the stored text has {hit.raw.get('full_length', '?')} characters."
    if stored is None:
        return note([words])
    return note([words]) + _details("the stored text", prose(stored))


def _record(hit: Hit) -> str:
    rows = "".join(
        tag("div", escaped(name)) + tag("div", escaped(value), dir="auto")
        for name, value in hit.raw.items()
        if name != "content"
    )
    return _details("the whole record", tag("div", rows, class_="memlab-record"))


def _details(summary: str, inner: str) -> str:
    return tag("details", tag("summary", escaped(summary)) + inner)
