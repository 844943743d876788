"""Pictures: ``plot(x)`` draws a result on one Axes and returns it.

The only package that imports matplotlib.
"""

from . import evaluations  # noqa: F401  (registers its types)
from .door import plot

__all__ = ["plot"]
