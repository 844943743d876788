"""A bank as recall would have seen it at an earlier time."""

from .bank import PastBank

__all__ = ["PastBank"]
