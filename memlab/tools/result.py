"""What a tool of the agent gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ToolResult"]


@dataclass(frozen=True)
class ToolResult:
    """The answer of a tool: the text for the model, details for programs, and whether it helps.

    ``useless`` marks an answer that adds nothing to the context, so that it may be left out.
    """

    text: str
    details: Mapping[str, Any] = field(default_factory=dict)
    useless: bool = False

    def __str__(self) -> str:
        """Return the text."""
        return self.text
