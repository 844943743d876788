"""Controls: simple systems that give a figure its floor and its ceiling."""

from .bm25 import Bm25
from .lsa import Lsa
from .oracle import Oracle
from .simple import FullContext, Random, Recent

__all__ = ["Bm25", "FullContext", "Lsa", "Oracle", "Random", "Recent"]
