"""Embedders: callables from a list of texts to as many vectors.

Anything of that kind will do for ``Mnemopi(..., embedder=...)`` and
``build_bank(..., embedder=...)``; here are three. A bank's vectors can only be
compared with those of the model that made them: see ``bank.vectors()``.
"""

from .local import FastEmbedEmbedder, SentenceTransformersEmbedder
from .openai import OpenAIEmbedder

__all__ = ["FastEmbedEmbedder", "OpenAIEmbedder", "SentenceTransformersEmbedder"]
