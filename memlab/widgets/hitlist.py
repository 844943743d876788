"""The hits as a table whose rows can be chosen, by mouse or keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets as w

from ..models import Hit
from .markup import escaped, tag

__all__ = ["HitList", "table_html"]

SHOWN = 240
DAY = 10
HEAD = ("#", "score", "id", "tier", "date", "text")


class HitList:
    """A table of hits: drawn as escaped HTML, with one button per row laid over it."""

    def __init__(self) -> None:
        self._table = w.HTML()
        self._rows = w.ToggleButtons(options=[])
        self._rows.add_class("memlab-rows")
        self.widget = w.Box([self._table, self._rows])
        self.widget.add_class("memlab-hits")

    @property
    def index(self) -> int | None:
        """Return the chosen row, counted from 0; None in an empty table."""
        index: int | None = self._rows.index
        return index

    def show(self, hits: Sequence[Hit], chosen: int = 0) -> None:
        """Show other hits and choose one of them, counted from 0."""
        self._table.value = table_html(hits) if hits else ""
        self._rows.tooltips = ()
        self._rows.options = [str(hit.rank) for hit in hits]
        self._rows.tooltips = tuple(f"show hit {hit.rank} in full" for hit in hits)
        self._rows.index = chosen if hits else None
        self.widget.layout.display = None if hits else "none"

    def choose(self, index: int) -> None:
        """Choose a row, counted from 0."""
        self._rows.index = index

    def on_choice(self, call: Callable[[], None]) -> None:
        """Call when another row has been chosen."""
        self._rows.observe(lambda _: call(), "index")


def table_html(hits: Sequence[Hit]) -> str:
    """Return hits as a table; every text is escaped, long ones are cut."""
    top = max((hit.score for hit in hits if hit.score is not None), default=0.0)
    head = "".join(tag("div", name) for name in HEAD)
    rows = "".join(_row(hit, top) for hit in hits)
    return tag("div", tag("div", head, class_="memlab-head") + rows, class_="memlab-table")


def _row(hit: Hit, top: float) -> str:
    cells = (
        tag("div", ""),
        tag("div", _score(hit.score, top), class_="memlab-score"),
        tag("div", escaped(hit.id) + _bank(hit), class_="memlab-id", title=hit.id),
        tag("div", escaped(hit.tier)),
        tag("div", escaped((hit.timestamp or "")[:DAY]), class_="memlab-date"),
        tag("div", _text(hit.text), class_="memlab-line", dir="auto"),
    )
    return tag("div", "".join(cells), class_="memlab-row")


def _score(score: float | None, top: float) -> str:
    if score is None:
        return "none"
    width = 100 * max(0.0, score) / top if top > 0 else 0.0
    return f"{score:.4f}" + tag("i", "", style=f"width:{min(width, 100.0):.1f}%")


def _bank(hit: Hit) -> str:
    """Name the bank under the id, where a recall over several banks has noted it."""
    bank = getattr(hit, "bank", None)
    return tag("small", escaped(bank), title=bank) if bank else ""


def _text(text: str) -> str:
    line = " ".join(text.split())
    if not line:
        return tag("em", "no text")
    return escaped(line if len(line) <= SHOWN else line[: SHOWN - 1] + "…")
