"""Embeddings from a server that speaks OpenAI's protocol: OpenAI, Ollama, llama.cpp, vLLM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import numpy as np

from ..errors import BackendUnavailable, InputError, InvalidReply, RecallRefused, RecallTimeout

__all__ = ["OpenAIEmbedder"]

_SHOWN = 200


@dataclass(frozen=True)
class OpenAIEmbedder:
    """Asks a server with an OpenAI-compatible ``/embeddings`` for vectors.

    ``url`` is its base, as in ``http://localhost:11434/v1``; ``model`` the name
    the server knows. ``api_key`` is sent as a bearer token and never shown.
    ``batch`` texts go into one request, ``timeout`` is in seconds.

    A call raises BackendUnavailable, RecallTimeout, RecallRefused or InvalidReply.
    """

    url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    batch: int = 64
    timeout: float = 30.0

    def __post_init__(self) -> None:
        """Refuse what cannot be an address."""
        if not self.url.startswith(("http://", "https://")):
            raise InputError(f"url={self.url!r} is not an address. Write it like http://host/v1.")
        if self.batch < 1:
            raise InputError(f"batch={self.batch}: at least one text goes into a request.")

    def __call__(self, texts: list[str]) -> np.ndarray[Any, Any]:
        """Return one vector per text: an array of shape (texts, width)."""
        rows = [row for part in self._parts(texts) for row in self._ask(part)]
        return np.array(rows, dtype=np.float32)

    def _parts(self, texts: list[str]) -> Iterator[list[str]]:
        for start in range(0, len(texts), self.batch):
            yield texts[start : start + self.batch]

    def _ask(self, texts: list[str]) -> list[list[float]]:
        address = f"{self.url.rstrip('/')}/embeddings"
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        body = {"model": self.model, "input": texts}
        try:
            reply = httpx.post(address, json=body, headers=headers, timeout=self.timeout)
        except httpx.TimeoutException as error:
            raise RecallTimeout(
                f"{address} gave no embeddings within {self.timeout:g} s. "
                "Give it longer (timeout=...), or fewer texts at once (batch=...)."
            ) from error
        except httpx.HTTPError as error:
            raise BackendUnavailable(
                f"{address} cannot be reached: {error}. Is the server running?"
            ) from error
        if reply.status_code != httpx.codes.OK:
            raise RecallRefused(
                f"{address} refused to embed with {self.model!r}: "
                f"{reply.status_code} {_reason(reply)}"
            )
        return _vectors(reply, len(texts), address)


def _reason(reply: httpx.Response) -> str:
    """Return the server's own words, cut."""
    try:
        said = reply.json()
    except ValueError:
        return reply.text[:_SHOWN]
    error = said.get("error", said) if isinstance(said, dict) else said
    return str(error.get("message", error) if isinstance(error, dict) else error)[:_SHOWN]


def _vectors(reply: httpx.Response, count: int, address: str) -> list[list[float]]:
    """Read a reply; its rows may come in any order."""
    try:
        rows = sorted(reply.json()["data"], key=lambda row: row["index"])
        vectors = [[float(value) for value in row["embedding"]] for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidReply(
            f"{address} answered with something that is no list of embeddings: "
            f"{reply.text[:_SHOWN]!r}. Is the address right?"
        ) from error
    widths = {len(vector) for vector in vectors}
    if len(vectors) != count or len(widths) != 1:
        raise InvalidReply(
            f"{address} gave {len(vectors)} vectors of {sorted(widths)} numbers for {count} texts."
        )
    return vectors
