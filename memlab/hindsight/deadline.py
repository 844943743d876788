"""One time limit for a whole request.

A client's usual limits hold for each read: a server that sends a byte now and
then would never meet them. Here each read and write gets what is left of the
time of the request.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpcore

__all__ = ["DeadlineBackend", "within"]

_clock = threading.local()
_LONGEST = 1e6  # eleven days: the system's own clocks take no limits without end


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Let all network calls of this thread end within so many seconds from now."""
    before = getattr(_clock, "deadline", None)
    _clock.deadline = time.monotonic() + min(seconds, _LONGEST)
    try:
        yield
    finally:
        _clock.deadline = before


def _left(given: float | None, error: type[Exception]) -> float | None:
    deadline = getattr(_clock, "deadline", None)
    if deadline is None:
        return given
    left: float = deadline - time.monotonic()
    if left <= 0:
        raise error("the time of the request is over")
    return left if given is None else min(left, given)


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class DeadlineBackend(httpcore.NetworkBackend):
    """The usual network, with the deadline of the thread."""

    def __init__(self) -> None:
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect within what is left of the time."""
        left = _left(timeout, httpcore.ConnectTimeout)
        found = self._inner.connect_tcp(host, port, left, local_address, socket_options)
        return _DeadlineStream(found)
