"""A stored baseline, and a gate that a worse run does not pass."""

from .baseline import Baseline
from .door import check, gate, judged
from .result import GateReport
from .tolerance import Tolerance

__all__ = ["Baseline", "GateReport", "Tolerance", "check", "gate", "judged"]
