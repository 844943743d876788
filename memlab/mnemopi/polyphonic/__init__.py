"""Polyphonic recall: a variant in the engine that the agent never calls, for comparison."""

from .recall import polyphonic_recall

__all__ = ["polyphonic_recall"]
