"""The HTTP client: one request, its time limit, its retries, its errors.

The only module that imports httpx.
"""

from __future__ import annotations

import base64
import json
import logging
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import httpx
import stamina
from pydantic import SecretStr

from ..errors import (
    HindsightBusy,
    HindsightGatewayTimeout,
    HindsightIgnored,
    HindsightNotJson,
    HindsightUnreachable,
    InputError,
)
from .deadline import DeadlineBackend, within
from .failures import decode, failure, timed_out, unreachable
from .recording import Recorder, Tape, answered, content_of, described

__all__ = ["Answer", "Client", "Part"]

# Without a handler of its own each retry would stand bare on standard error, in notebooks too.
logging.getLogger("stamina").addHandler(logging.NullHandler())

_ATTEMPTS = 4
_LONGEST_WAIT = 30.0
_SECONDS = "memlab.seconds"
# The characters a header may carry: no control characters, nothing beyond latin-1.
_SENDABLE = re.compile(r"[\x20-\x7e\xa0-\xff]+")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Answer:
    """A successful answer: its JSON value (an empty object where it has none), and its bytes."""

    data: Any
    content: bytes = field(repr=False)
    seconds: float
    status: int


@dataclass(frozen=True)
class Part:
    """A file to send: its name and content."""

    name: str
    content: bytes = field(repr=False)
    kind: str = "application/zip"


class Client:
    """Sends requests to one server, at most ``parallel`` at once; may be shared by threads.

    The token never shows: not in ``repr``, not in an error, not in a recording.
    """

    def __init__(
        self,
        url: str,
        *,
        token: SecretStr | None = None,
        parallel: int = 4,
        transport: httpx.BaseTransport | None = None,
        record: Path | None = None,
        replay: Path | None = None,
    ) -> None:
        self._base = self.url = _address(url)
        self._slots = threading.BoundedSemaphore(parallel)
        if replay is not None:
            used: httpx.BaseTransport = _Replaying(Tape(replay))
        else:
            used = transport or _transport(self._base, parallel)
        if record is not None:
            used = _Recording(used, Recorder(record, _secrets(token, url)))
        # What the environment says of proxies was read above; of loopback it says nothing.
        self._http = httpx.Client(
            headers=_headers(token, url), transport=used, trust_env=False, timeout=None
        )
        # A client that is just dropped closes its connections, too.
        self._closing = weakref.finalize(self, self._http.close)

    def call(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        timeout: float,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        part: Part | None = None,
        reads: bool = False,
        binary: bool = False,
    ) -> Answer:
        """Send one request and return its answer.

        None values are left out of query and body; lists repeat their key in a
        query. ``timeout`` is the time of one attempt from the first byte sent
        to the last one received, in seconds. ``reads`` marks a request that
        changes nothing: it is tried again after a failed connection, 503 and
        504, never after a plain 500.

        Raises an error of the HindsightError family.
        """
        sent = self._request(method, path, query, body, part)

        def once() -> Answer:
            return self._once(operation, sent, timeout, binary)

        if not reads:
            return once()
        retry = stamina.RetryingCaller(
            attempts=_ATTEMPTS, timeout=_LONGEST_WAIT * 2, wait_max=2.0, wait_jitter=0.2
        )
        return retry.on(_wait)(once)

    def _request(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        part: Part | None,
    ) -> Callable[[], httpx.Request]:
        url = self._base + path
        pairs: list[tuple[str, str | int | float | bool | None]] = [*_pairs(query or {})]
        content, kind = (_encode(body), "application/json") if part is None else _multipart(part)
        return lambda: self._http.build_request(
            method, url, params=pairs or None, content=content, headers={"Content-Type": kind}
        )

    def _once(
        self, operation: str, request: Callable[[], httpx.Request], timeout: float, binary: bool
    ) -> Answer:
        with self._slots, within(timeout):
            start = time.perf_counter()
            try:
                response = self._http.send(request())
            except httpx.TimeoutException:
                raise timed_out(operation, timeout) from None
            except (httpx.TransportError, httpx.DecodingError, httpx.InvalidURL) as error:
                reason = str(error).rstrip(".") or type(error).__name__
                raise unreachable(operation, self.url, reason) from None
            seconds = response.extensions.get(_SECONDS, time.perf_counter() - start)
        return self._judge(operation, response, float(seconds), binary)

    def _judge(
        self, operation: str, response: httpx.Response, seconds: float, binary: bool
    ) -> Answer:
        status, content = response.status_code, response.content
        if not response.is_success:
            raise failure(operation, status, content, response.headers)
        if ignored := response.headers.get("x-ignored-params"):
            raise HindsightIgnored(
                f"{operation}: the server does not know {ignored} and ignored it, so its answer "
                "is to another question. Leave it out, or use a server that has it; version() "
                "tells which this is.",
                status=status,
                details=ignored,
            )
        if binary:
            return Answer(None, content, seconds, status)
        try:
            data = decode(content, repair=True) if content else {}
        except (ValueError, RecursionError):
            raise HindsightNotJson(
                f"{operation}: the answer of {self.url} is not JSON ({content[:80]!r}). Something "
                "other than Hindsight may answer at that address.",
                status=status,
                details=content[:2000].decode("utf-8", "replace"),
            ) from None
        return Answer({} if data is None else data, content, seconds, status)

    def close(self) -> None:
        """Close all connections."""
        self._closing()

    def __reduce__(self) -> NoReturn:
        """Refuse to be sent to another process, or kept in a file: a token would go along."""
        raise InputError(
            f"The client of {self.url} holds connections and perhaps a token, and cannot be sent "
            "to another process. Ask it in threads: prefer='threads'."
        )

    def __repr__(self) -> str:
        """Show the address only."""
        return f"Client({self.url!r})"


def _wait(error: Exception) -> bool | float:
    """Tell whether to try again, and after how many seconds where the server says so."""
    if isinstance(error, HindsightBusy):
        wait = error.retry_after
        return True if wait is None else min(wait, _LONGEST_WAIT)
    if isinstance(error, HindsightGatewayTimeout):
        return True
    return isinstance(error, HindsightUnreachable)


def _address(url: str) -> str:
    """Return the server's address without slashes at its end, and without name and password.

    A query or a fragment would swallow every path that is put after it: a
    request to delete a document would go to whatever stands before.
    """
    try:
        found = httpx.URL(url.strip().rstrip("/"))
    except (httpx.InvalidURL, TypeError, AttributeError):
        raise InputError(_unreadable(url)) from None
    whole = found.scheme in ("http", "https") and found.host and "%" not in found.host
    if not whole or "?" in url or "#" in url or "@" in found.path:
        raise InputError(_unreadable(url))
    return str(found.copy_with(username=None, password=None))


def _unreadable(url: object) -> str:
    # Where an @ stands, a password may: in an address that cannot be read nobody knows where.
    shown = "what stands before an @ is not shown" if "@" in str(url) else f"{url!r:.200}"
    return (
        f"This is no address of a server ({shown}). Write it like http://localhost:8888, without "
        "? and #; in a name or password before an @, write / as %2F, ? as %3F, # as %23, @ as %40."
    )


def _headers(token: SecretStr | None, url: str) -> httpx.Headers:
    """Return the headers of all requests; their ``repr`` hides the token.

    Raises InputError, without a word of it, for a token that no header can carry.
    """
    # The secret itself is in no variable here: a verbose traceback shows them all.
    if _bare(token) and not _SENDABLE.fullmatch(_bare(token)):
        raise InputError(
            f"The token cannot be sent: one of its {len(_bare(token))} characters is a line break, "
            "or another that no header can carry. Give the token alone."
        )
    headers = httpx.Headers({"User-Agent": "memlab", "Content-Type": "application/json"})
    login = f"Bearer {_bare(token)}" if _bare(token) else _login(url)
    if login:
        # Letters beyond ASCII go as the agent's client sends them.
        headers.update([(b"Authorization", login.encode("latin-1"))])
    return headers


def _bare(token: SecretStr | None) -> str:
    """Return a token without the line break at its end that a file may have."""
    return "" if token is None else token.get_secret_value().strip()


def _login(url: str) -> str | None:
    """Return the header for the name and password of an address: there it would be logged."""
    found = httpx.URL(url.strip())
    if not found.username:
        return None
    pair = f"{found.username}:{found.password}".encode()
    return f"Basic {base64.b64encode(pair).decode()}"


def _secrets(token: SecretStr | None, url: str) -> Sequence[SecretStr]:
    password, login = httpx.URL(url.strip()).password, (_login(url) or "").removeprefix("Basic ")
    return [SecretStr(one) for one in (_bare(token), password, login)]


def _proxy(base: str) -> str | None:
    """Return the proxy that the environment names for an address; none for loopback."""
    from urllib.request import getproxies, proxy_bypass

    url = httpx.URL(base)
    if url.host in _LOOPBACK or proxy_bypass(url.host):
        return None
    found = getproxies().get(url.scheme) or getproxies().get("all")
    return found if not found or "://" in found else f"http://{found}"


def _transport(base: str, parallel: int) -> httpx.BaseTransport:
    """Return the usual transport, through the proxy of the environment where there is one."""
    named = _proxy(base)
    try:
        proxy = httpx.Proxy(named) if named else None
        return _DeadlineTransport(base.startswith("https:"), proxy, parallel)
    except (ValueError, httpx.InvalidURL, ImportError) as error:
        raise InputError(
            f"The proxy that the environment names for {base} cannot be used "
            f"({type(error).__name__}); one with http:// or https:// can. Or name the server's "
            "host in the variable no_proxy."
        ) from None


def _pairs(query: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in query.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if one is not None:
                yield name, str(one).lower() if isinstance(one, bool) else str(one)


def _encode(body: Mapping[str, Any] | None) -> bytes | None:
    if body is None:
        return None
    kept = {name: value for name, value in body.items() if value is not None}
    try:
        # ASCII: lone surrogates travel as escapes, as they do from the agent.
        return json.dumps(kept, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise InputError(f"This cannot be sent as JSON: {error}.") from None


_BOUNDARY = "memlab-7d1f0c5e9b3a4826"


def _multipart(part: Part) -> tuple[bytes, str]:
    """Return a form with one file; the boundary is fixed, so that recordings are stable."""
    head = (
        f"--{_BOUNDARY}\r\n"
        f'Content-Disposition: form-data; name="file"; filename="{part.name}"\r\n'
        f"Content-Type: {part.kind}\r\n\r\n"
    )
    data = head.encode() + part.content + f"\r\n--{_BOUNDARY}--\r\n".encode()
    return data, f"multipart/form-data; boundary={_BOUNDARY}"


class _DeadlineTransport(httpx.HTTPTransport):
    """The usual transport; each read and write ends when the time of the whole request does.

    Also through a proxy. There are as many connections as requests at once.
    """

    def __init__(self, secure: bool, proxy: httpx.Proxy | None, parallel: int) -> None:
        limits = httpx.Limits(
            max_connections=parallel, max_keepalive_connections=parallel, keepalive_expiry=5.0
        )
        super().__init__(verify=secure, proxy=proxy, limits=limits)
        self._pool._network_backend = DeadlineBackend()


class _Recording(httpx.BaseTransport):
    def __init__(self, inner: httpx.BaseTransport, recorder: Recorder) -> None:
        self._inner, self._recorder = inner, recorder

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        start = time.perf_counter()
        response = self._inner.handle_request(request)
        response.read()
        seconds = response.extensions.get(_SECONDS, time.perf_counter() - start)
        self._recorder.add(
            _described(request),
            answered(response.status_code, response.headers, response.content, float(seconds)),
        )
        kept = {name: value for name, value in response.headers.items() if name not in _CODED}
        return httpx.Response(
            response.status_code, headers=kept, content=response.content, request=request
        )

    def close(self) -> None:
        self._inner.close()


_CODED = ("content-encoding", "content-length", "transfer-encoding")


class _Replaying(httpx.BaseTransport):
    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._tape.answer(_described(request))
        return httpx.Response(
            answer["status"],
            headers=answer["headers"],
            content=content_of(answer),
            extensions={_SECONDS: answer["seconds"]},
            request=request,
        )


def _described(request: httpx.Request) -> dict[str, Any]:
    path = request.url.raw_path.split(b"?")[0].decode("ascii")
    return described(request.method, path, request.url.params.multi_items(), request.read())
