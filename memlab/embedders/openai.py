"""Embeddings from a server that speaks OpenAI's protocol: OpenAI, Ollama, llama.cpp, vLLM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np

from ..errors import BackendUnavailable, InputError, InvalidReply, RecallRefused, RecallTimeout

__all__ = ["OpenAIEmbedder"]

_SHOWN = 200


@dataclass(frozen=True, repr=False)
class OpenAIEmbedder:
    """Asks a server with an OpenAI-compatible ``/embeddings`` for vectors.

    ``url`` is its base, as in ``http://localhost:11434/v1``; ``model`` the name
    the server knows. ``api_key`` is sent as a bearer token and never shown, nor
    is a password in the address. ``batch`` texts go into one request,
    ``timeout`` is in seconds.

    A call raises BackendUnavailable, RecallTimeout, RecallRefused or InvalidReply.
    """

    url: str
    model: str
    api_key: str | None = None
    batch: int = 64
    timeout: float = 30.0

    def __post_init__(self) -> None:
        """Refuse what cannot be an address."""
        if not str(self.url).startswith(("http://", "https://")) or not _parsed(self.url).host:
            shown = "This url" if "@" in str(self.url) else f"url={self.url!r}"
            raise InputError(f"{shown} is not an address. Write it like http://host/v1.")
        if not _is_count(self.batch):
            raise InputError(f"batch={self.batch!r}: at least one text goes into a request.")
        if self.api_key and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise InputError("The api_key holds characters that no header takes: only ASCII.")

    def __repr__(self) -> str:
        """Show everything but secrets."""
        return (
            f"OpenAIEmbedder({self._shown()!r}, model={self.model!r}, batch={self.batch}, "
            f"timeout={self.timeout})"
        )

    def _shown(self) -> str:
        """The address without a password."""
        return str(_parsed(self.url).copy_with(username=None, password=None)).rstrip("/")

    def __call__(self, texts: list[str]) -> np.ndarray[Any, Any]:
        """Return one vector per text: an array of shape (texts, width)."""
        if _is_text(texts):
            raise InputError("Give a list of texts, not a single one: [text].")
        rows = [row for part in self._parts(texts) for row in self._ask(part)]
        return np.array(rows, dtype=np.float32)

    def _parts(self, texts: list[str]) -> Iterator[list[str]]:
        for start in range(0, len(texts), self.batch):
            yield texts[start : start + self.batch]

    def _ask(self, texts: list[str]) -> list[list[float]]:
        address, shown = f"{self.url.rstrip('/')}/embeddings", f"{self._shown()}/embeddings"
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        body = {"model": self.model, "input": texts}
        try:
            reply = httpx.post(address, json=body, headers=headers, timeout=self.timeout)
        except httpx.TimeoutException as error:
            raise RecallTimeout(
                f"{shown} gave no embeddings within {self.timeout:g} s. "
                "Give it longer (timeout=...), or fewer texts at once (batch=...)."
            ) from error
        except httpx.HTTPError as error:
            raise BackendUnavailable(
                f"{shown} cannot be reached: {error}. Is the server running?"
            ) from error
        if reply.status_code != httpx.codes.OK:
            raise RecallRefused(
                f"{shown} refused to embed with {self.model!r}: "
                f"{reply.status_code} {self._hidden(_reason(reply))}"
            )
        try:
            return _vectors(reply, len(texts))
        except InvalidReply as error:
            raise InvalidReply(f"{shown} {self._hidden(str(error))}") from error

    def _hidden(self, said: str) -> str:
        """Take the key out of what a server says: some repeat it."""
        return said.replace(self.api_key, "[api_key]") if self.api_key else said


def _parsed(url: str) -> httpx.URL:
    try:
        return httpx.URL(url)
    except httpx.InvalidURL as error:
        raise InputError(f"This url is not an address ({error}).") from error


def _is_count(value: object) -> bool:
    return isinstance(value, int) and value > 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _reason(reply: httpx.Response) -> str:
    """Return the server's own words, cut."""
    try:
        said = reply.json()
    except ValueError:
        return reply.text[:_SHOWN]
    error = said.get("error", said) if isinstance(said, dict) else said
    return str(error.get("message", error) if isinstance(error, dict) else error)[:_SHOWN]


def _vectors(reply: httpx.Response, count: int) -> list[list[float]]:
    """Read a reply; its rows may come in any order. Raises InvalidReply."""
    try:
        rows = sorted(reply.json()["data"], key=lambda row: row["index"])
        vectors = [[float(value) for value in row["embedding"]] for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidReply(
            "answered with something that is no list of embeddings: "
            f"{reply.text[:_SHOWN]!r}. Is the address right?"
        ) from error
    widths, places = {len(vector) for vector in vectors}, {row["index"] for row in rows}
    if len(vectors) != count or len(widths) != 1:
        raise InvalidReply(
            f"gave {len(vectors)} vectors of {sorted(widths)} numbers for {count} texts."
        )
    if len(places) != count:
        raise InvalidReply("gave several vectors the same index, so which text is whose is lost.")
    return vectors
