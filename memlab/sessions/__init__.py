"""Session logs of coding agents as conversations, and search over them."""

from __future__ import annotations

from .entry import Entry, Part
from .index.hits import SearchHits, SessionHit
from .index.index import SessionIndex
from .index.options import SearchOptions
from .index.sync import SyncReport
from .logs import SessionLogs
from .naming import name_session
from .places import claude_folders
from .problems import Problem, Problems
from .session import Session
from .tools import ToolAnswer, auto_recall, recall_command, session_history, session_search
from .tracing import Provenance, provenance

__all__ = [
    "Entry",
    "Part",
    "Problem",
    "Problems",
    "Provenance",
    "SearchHits",
    "SearchOptions",
    "Session",
    "SessionHit",
    "SessionIndex",
    "SessionLogs",
    "SyncReport",
    "ToolAnswer",
    "auto_recall",
    "claude_folders",
    "name_session",
    "provenance",
    "recall_command",
    "session_history",
    "session_search",
]
