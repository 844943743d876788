"""From a conversation to a query, and from an answer to what the agent is shown."""

from .asking import AskedRecall, Plan
from .auto import AutoRecall
from .bankmemory import BankMemory
from .block import Block, make_block
from .compose import compose_query
from .draft import Draft
from .feedback import feedback_loop
from .query import ComposedQuery, Line
from .replay import replay
from .salience import salient_terms
from .strategies import STRATEGIES, Strategy
from .token_errors import token_errors
from .trace import Step, Trace
from .transcripts import Transcript, retained_turns, transcript

__all__ = [
    "STRATEGIES",
    "AskedRecall",
    "AutoRecall",
    "BankMemory",
    "Block",
    "ComposedQuery",
    "Draft",
    "Line",
    "Plan",
    "Step",
    "Strategy",
    "Trace",
    "Transcript",
    "compose_query",
    "feedback_loop",
    "make_block",
    "replay",
    "retained_turns",
    "salient_terms",
    "token_errors",
    "transcript",
]
