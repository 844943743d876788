"""Pictures: ``plot(x)`` draws a result on one Axes and returns it.

The only package that imports matplotlib.
"""

from . import comparisons, evaluations, sweeps  # noqa: F401  (each registers its types)
from .door import plot

__all__ = ["plot"]
