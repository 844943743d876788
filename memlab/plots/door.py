"""The one door: which picture belongs to which type."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from matplotlib.axes import Axes

from ..errors import InputError

__all__ = ["plot"]


@singledispatch
def plot(x: Any, *args: Any, ax: Axes | None = None, **options: Any) -> Axes:  # noqa: ARG001
    """Draw a result on one Axes and return the Axes.

    What is drawn depends on the type of ``x``: an evaluation gives bars per
    category, a sweep lines over a setting, a comparison intervals. ``ax`` is
    the Axes to draw on; by default a new figure. Raises InputError for a type
    that has no picture.
    """
    known = ", ".join(sorted(kind.__name__ for kind in plot.registry if kind is not object))
    raise InputError(f"There is no picture of a {type(x).__name__}. There is one of: {known}.")
