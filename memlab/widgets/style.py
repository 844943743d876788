"""The look of the explorers, in a light and a dark theme alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import ipywidgets as w

__all__ = ["framed"]


@cache
def _css() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def framed(children: Sequence[w.Widget]) -> w.VBox:
    """Return a box with these children that carries the style."""
    style = w.HTML(f"<style>{_css()}</style>", layout=w.Layout(display="none"))
    box = w.VBox([style, *children])
    box.add_class("memlab")
    return box
