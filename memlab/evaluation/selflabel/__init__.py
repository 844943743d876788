"""Cases that a bank labels itself: a query made from a memory must find that memory."""

from .door import KINDS, self_labelled

__all__ = ["KINDS", "self_labelled"]
