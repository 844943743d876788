"""A report as one HTML page: no script, nothing loaded, every text escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape

from .blocks import Block, Heading, Lines, Picture, Table, Text, cells_of, rest_of

__all__ = ["to_html"]

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fff; }
table { border-collapse: collapse; margin: .5rem 0 1.2rem; font-size: 13px; display: block;
  overflow-x: auto; }
th, td { border-bottom: 1px solid #ddd; padding: .25rem .6rem; text-align: left;
  vertical-align: top; }
th { border-bottom: 2px solid #999; }
pre { background: #f5f5f5; padding: .8rem; overflow-x: auto; }
img { max-width: 100%; }
.loud { border-left: 4px solid #d55e00; padding-left: .8rem; font-weight: 600; }
.note { color: #555; margin: 0; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #161616; } pre { background: #242424; }
  th, td { border-color: #444; } .note { color: #aaa; } img { background: #fff; }
}
"""
# The page may show its own pictures and styles, and nothing from anywhere else.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def to_html(title: str, blocks: Iterable[Block]) -> str:
    """Return a page."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Text(text, loud):
            mark = ' class="loud"' if loud else ""
            return f"<p{mark}>{escape(text)}</p>"
        case Lines(text):
            return f"<pre>{escape(text)}</pre>"
        case Picture(png, caption):
            data = base64.b64encode(png).decode("ascii")
            image = f'<img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    heads, rows = cells_of(table)
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows
    )
    rest = rest_of(table)
    note = f'<p class="note">{escape(table.caption)}</p>' if table.caption else ""
    more = f'<p class="note">{escape(rest)}</p>' if rest else ""
    return f"{note}<table><tr>{head}</tr>\n{body}</table>{more}"
