"""Why a memory came back, or where it was lost; and how many were lost where."""

from .explanation import Explanation, Stage, Step
from .funnel import funnel
from .why import explain

__all__ = ["Explanation", "Stage", "Step", "explain", "funnel"]
