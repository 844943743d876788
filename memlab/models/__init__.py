"""The values everything else is made of: frozen, comparable, each with a ``.frame()``."""

from .conversation import Conversation, Message
from .hit import Hit
from .memory import Fact, Facts, Memories, Memory
from .outcome import Outcome
from .recall import Recall
from .scope import LegacyBank, Scope, ScopeReport, scope_report

__all__ = [
    "Conversation",
    "Fact",
    "Facts",
    "Hit",
    "LegacyBank",
    "Memories",
    "Memory",
    "Message",
    "Outcome",
    "Recall",
    "Scope",
    "ScopeReport",
    "scope_report",
]
