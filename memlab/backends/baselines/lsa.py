"""Meaning without a model: latent semantic analysis of the documents themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...text.javascript import well_formed
from .control import Control
from .documents import Source

__all__ = ["Lsa"]

_WORD = r"(?u)\b\w+\b"


class Lsa(Control):
    """Rank documents by the cosine of word vectors in fewer dimensions (TF-IDF, truncated SVD).

    It stands in for a dense retriever where no model may be loaded: words that
    occur together become alike. ``components`` is the number of dimensions; a
    small bank has fewer. Documents without any likeness are not returned.
    """

    kind: ClassVar[str] = "lsa"

    def __init__(
        self, source: Source, *, components: int = 100, seed: int = 0, name: str = ""
    ) -> None:
        """Compute the vectors of all documents."""
        super().__init__(source, name=name)
        if components < 1:
            raise InputError(f"components={components} is too few. Give 1 or more.")
        self.components, self.seed = components, seed
        self._words: Any = None
        self._project: Any = None
        self._vectors: NDArray[np.float64] = np.zeros((0, 0))
        self._fit()

    def _fit(self) -> None:
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer

        texts = [well_formed(document.text) for document in self.documents]
        words = TfidfVectorizer(token_pattern=_WORD, strip_accents="unicode", sublinear_tf=True)
        try:
            weights = words.fit_transform(texts)
        except ValueError:  # no document has a word
            return
        size = min(self.components, min(weights.shape) - 1)
        self._words = words
        if size >= 1:
            project = TruncatedSVD(size, random_state=self.seed)
            self._project = project.fit(weights)
        self._vectors = self._vector(weights)

    def _vector(self, weights: Any) -> NDArray[np.float64]:
        rows = weights.toarray() if self._project is None else self._project.transform(weights)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: NDArray[np.float64] = np.divide(
            rows, lengths, out=np.zeros_like(rows), where=lengths > 1e-12
        )
        return unit

    def rank(self, query: str, limit: int) -> Iterable[tuple[int, float]]:
        """Return place and cosine."""
        if self._words is None:
            return []
        asked = self._vector(self._words.transform([well_formed(query)]))[0]
        # Rounded, so that the order does not hang on the last bit of a sum.
        likeness = np.round(self._vectors @ asked, 9)
        order = np.argsort(-likeness, kind="stable")[:limit]
        return [(int(i), float(likeness[i])) for i in order if likeness[i] > 0]
