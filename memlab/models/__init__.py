"""The values everything else is made of: frozen, comparable, each with a ``.frame()``."""

from .hit import Hit
from .memory import Fact, Facts, Memories, Memory
from .outcome import Outcome
from .recall import Recall

__all__ = ["Fact", "Facts", "Hit", "Memories", "Memory", "Outcome", "Recall"]
