"""The agent's memory tools, with its exact answers: recall, reflect, retain, memory_edit, memory://.

They take a backend and answer what the model would be told. What they answer is
a :class:`ToolResult`. Writing needs a bank that is open for writing.
"""

from .asking import recall, reflect
from .editing import memory_edit
from .presence import available
from .reading import read_memory
from .result import ToolResult
from .retaining import retain

__all__ = [
    "ToolResult",
    "available",
    "memory_edit",
    "read_memory",
    "recall",
    "reflect",
    "retain",
]
