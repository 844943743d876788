"""What all pictures share: an Axes to draw on, and quiet lines."""

from __future__ import annotations

import io
import textwrap
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

__all__ = ["COLOURS", "axes", "headline", "tidy", "to_png"]

# Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999")


def axes(ax: Axes | None, width: float = 7.0, height: float = 4.0) -> Axes:
    """Return the given Axes, or that of a new figure of this size in inches."""
    if ax is not None:
        return ax
    _, fresh = plt.subplots(figsize=(width, height), layout="constrained")
    return fresh


def headline(ax: Axes, text: str, width: int = 64) -> None:
    """Put a title at the left, broken into lines that fit."""
    ax.set_title(textwrap.fill(text, width), loc="left", fontsize=10)


def tidy(ax: Axes, grid: str = "x") -> Axes:
    """Take away what says nothing, and put the grid behind."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.grid(visible=True, axis=grid, color="#dddddd", linewidth=0.8)  # type: ignore[arg-type]
    ax.set_axisbelow(True)
    return ax


def to_png(ax: Axes) -> bytes:
    """Return the figure of an Axes as a PNG, and close it; the same picture gives the same bytes."""
    figure: Any = ax.figure
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=110, metadata={"Software": None})
    plt.close(figure)
    return data.getvalue()
