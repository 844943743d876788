"""A cell of an HTML table."""

from __future__ import annotations

from html import escape

__all__ = ["table_cell"]

_WHOLE = 40  # characters; a UUID has 36, and what is longer would push the text out of sight


def table_cell(text: str, *, whole: bool = False) -> str:
    """Return a cell with a text, escaped and at the left.

    A ``whole`` one, such as an id or a date, is not broken at its hyphens.
    """
    held = ";white-space:nowrap" if whole and len(text) <= _WHOLE else ""
    return f'<td style="text-align:left{held}">{escape(text)}</td>'
