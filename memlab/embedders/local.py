"""Embeddings from a model on this machine; both packages are optional."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import MissingExtra

__all__ = ["FastEmbedEmbedder", "SentenceTransformersEmbedder"]


def _missing(package: str, error: ImportError) -> MissingExtra:
    return MissingExtra(
        f"This embedder needs the package {package}, which is not installed ({error}). "
        "Install it: pip install 'memlab[embed]'"
    )


@dataclass(frozen=True)
class SentenceTransformersEmbedder:
    """Embeds with a model of sentence-transformers, by name or from a folder.

    The model is loaded at the first call. Without network, give a ``folder``
    that holds it; ``model`` is then only the name vectors are stored under.
    Raises MissingExtra where the package is not installed.
    """

    model: str = "BAAI/bge-base-en-v1.5"
    folder: str | Path | None = None
    batch: int = 32

    @cached_property
    def _loaded(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise _missing("sentence-transformers", error) from error
        return SentenceTransformer(self.model if self.folder is None else str(self.folder))

    def __call__(self, texts: list[str]) -> np.ndarray[Any, Any]:
        """Return one vector per text: an array of shape (texts, width)."""
        found = self._loaded.encode(
            texts, batch_size=self.batch, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(found, dtype=np.float32)


@dataclass(frozen=True)
class FastEmbedEmbedder:
    """Embeds with an ONNX model of fastembed, the library behind the agent's own vectors.

    The model is loaded at the first call, and fetched then if it is not in
    fastembed's cache; without network, give the ``folder`` that holds its
    files. The default is the agent's own default for English. Raises
    MissingExtra where the package is not installed.
    """

    model: str = "BAAI/bge-base-en-v1.5"
    folder: str | Path | None = None

    @cached_property
    def _loaded(self) -> Any:
        try:
            from fastembed import TextEmbedding
        except ImportError as error:
            raise _missing("fastembed", error) from error
        folder = {} if self.folder is None else {"specific_model_path": str(self.folder)}
        return TextEmbedding(model_name=self.model, **folder)

    def __call__(self, texts: list[str]) -> np.ndarray[Any, Any]:
        """Return one vector per text: an array of shape (texts, width)."""
        return np.array(list(self._loaded.embed(texts)), dtype=np.float32)
