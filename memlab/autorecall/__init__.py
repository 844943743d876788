"""From a conversation to a query, and from an answer to what the agent is shown."""

from .compose import compose_query
from .draft import Draft
from .query import ComposedQuery, Line
from .salience import salient_terms
from .strategies import STRATEGIES, Strategy

__all__ = [
    "STRATEGIES",
    "ComposedQuery",
    "Draft",
    "Line",
    "Strategy",
    "compose_query",
    "salient_terms",
]
