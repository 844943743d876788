"""Writing banks: copies, edits, and experimental banks from nothing. Never on an original."""

from .acting import Writer
from .building import write_bank
from .copying import copy_snapshot
from .editing import Edit
from .item import NewFact, NewMemory
from .remembering import Retained

__all__ = ["Edit", "NewFact", "NewMemory", "Retained", "Writer", "copy_snapshot", "write_bank"]
