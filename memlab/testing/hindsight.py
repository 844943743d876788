"""A Hindsight server that is not one: in memory, for tests of what uses one.

It answers recall, memories, documents, tags, banks, stats, retain and version
as the real server does, with its error shapes, its tag filter and its limit of
tokens; only the relevance is plain (shared words). ``transport`` is given to
``Hindsight(transport=...)``; ``serve`` listens on loopback, for a notebook's
kernel, a browser or an agent.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import httpx

from .hindsightbank import Bank, Refusal, given

__all__ = ["FakeHindsight", "Request"]

_PREFIX = "/v1/default/banks"


@dataclass(frozen=True)
class Request:
    """A request as it came in; ``json`` is its body, None where it has none."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str] = field(repr=False)
    json: Any = None


Reply = tuple[int, Any, dict[str, str]]
Fault = Callable[[Request], Reply | None]


class FakeHindsight:
    """An in-memory server; ``requests`` are all that came in, in order.

    ``token`` makes it ask for one. ``fault`` is a function that may answer in
    its place: it gets a request and returns (status, body, headers), or None.
    """

    def __init__(self, *, token: str | None = None, fault: Fault | None = None) -> None:
        self.banks: dict[str, Bank] = {}
        self.requests: list[Request] = []
        self.token = token
        self.fault = fault
        self._lock = threading.Lock()

    def add(
        self,
        bank: str,
        text: str,
        *,
        document: str | None = None,
        type: str = "world",  # noqa: A002  (the server's name)
        tags: tuple[str, ...] = (),
        time: str = "2026-01-01T00:00:00+00:00",
        metadata: Mapping[str, str] | None = None,
    ) -> str:
        """Store a memory; return its id, which depends on bank, document and text alone."""
        with self._lock:
            return self._store(bank, text, document, type, tags, time, metadata)

    def _store(  # noqa: PLR0917
        self,
        bank: str,
        text: str,
        document: str | None,
        kind: str,
        tags: Sequence[str],
        time: str,
        metadata: Mapping[str, str] | None,
    ) -> str:
        key = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{bank}\0{document}\0{text}"))
        record = {
            "id": key, "text": text, "fact_type": kind, "document_id": document,
            "tags": list(dict.fromkeys(tags)), "mentioned_at": time, "date": time,
            "metadata": dict(metadata or {}), "context": "", "entities": "", "state": "valid",
            "chunk_id": document and f"{bank}_{document}_0", "proof_count": 1,
        }  # fmt: skip
        self.banks.setdefault(bank, Bank(bank)).memories[key] = record
        return key

    @property
    def transport(self) -> httpx.MockTransport:
        """Return a transport that asks this double, without any network."""
        return httpx.MockTransport(self._handle)

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Listen on loopback for the length of a with block; gives the address."""
        server = _Server(("127.0.0.1", 0), _handler(self))
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def _handle(self, request: httpx.Request) -> httpx.Response:
        content = request.read()
        target = request.url.raw_path.decode()
        status, body, headers = self.answer(request.method, target, request.headers, content)
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return httpx.Response(status, content=content, headers=headers)

    def answer(self, method: str, target: str, headers: Mapping[str, str], content: bytes) -> Reply:
        """Answer one request: status, JSON value (or bytes), headers."""
        parts = urlsplit(target)
        try:
            body = json.loads(content) if content else None
        except ValueError:
            body = None
        lower = {name.lower(): value for name, value in headers.items()}
        request = Request(method, parts.path, parse_qs(parts.query), lower, body)
        with self._lock:
            self.requests.append(request)
            reply = self.fault(request) if self.fault else None
            if reply is None:
                reply = self._answer(request)
        status, value, extra = reply
        return status, value, {"content-type": "application/json", **extra}

    def _answer(self, request: Request) -> Reply:
        try:
            if request.path == "/health":
                return 200, {"status": "healthy", "database": "connected"}, {}
            if request.path == "/version":
                return 200, {"api_version": "1.1.0", "features": {}}, {}
            if self.token and request.headers.get("authorization") != f"Bearer {self.token}":
                raise Refusal(401, "Authentication failed: Invalid API key")
            return self._route(request)
        except Refusal as refusal:
            return refusal.status, {"detail": refusal.detail}, {}

    def _route(self, request: Request) -> Reply:
        names = [unquote(part) for part in request.path.removeprefix(_PREFIX).split("/") if part]
        if not request.path.startswith(_PREFIX):
            raise Refusal(404, "Not Found")
        if not names:
            found = [bank.described() for bank in self.banks.values()]
            return 200, {"banks": found, "total": len(found), "limit": 100, "offset": 0}, {}
        name, rest = names[0], names[1:]
        if (request.method, rest) in (("PUT", []), ("POST", ["memories"])):
            self.banks.setdefault(name, Bank(name))
        if name not in self.banks:
            raise Refusal(404, f"Bank '{name}' not found")
        bank = self.banks[name]
        if request.method == "POST" and rest == ["memories"]:
            return self._retain(name, request.json)
        if request.method == "DELETE" and not rest:
            gone = len(self.banks.pop(name).memories)
            return 200, {"success": True, "deleted_count": gone}, {}
        value, ignored = bank.answer(request.method, rest, request.query, request.json)
        return 200, value, {"x-ignored-params": ", ".join(ignored)} if ignored else {}

    def _retain(self, bank: str, body: Any) -> Reply:
        items = given(body).get("items")
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise Refusal(422, [{"type": "list_type", "loc": ["body", "items"],
                                 "msg": "Input should be a valid list", "input": items}])  # fmt: skip
        for number, item in enumerate(items):
            document = item.get("document_id") or f"document-{len(self.banks[bank].memories)}"
            if not str(item.get("content") or "").strip():
                raise Refusal(422, [{"type": "value_error", "loc": ["body", "items", number],
                                     "msg": "content is empty", "input": item}])  # fmt: skip
            time = item.get("timestamp") or "2026-01-01T00:00:00+00:00"
            tags, metadata = item.get("tags") or (), item.get("metadata")
            self._store(bank, item["content"], document, "world", tags, time, metadata)
        later = bool(body.get("async"))
        operation = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{bank}{len(self.requests)}"))
        return 200, {"success": True, "bank_id": bank, "items_count": len(items),
                     "async": later, "operation_id": operation if later else None}, {}  # fmt: skip

    def __repr__(self) -> str:
        """Show the banks."""
        held = ", ".join(f"{name}: {len(bank.memories)}" for name, bank in self.banks.items())
        return f"FakeHindsight({held})"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # the usual 5 turns connections away where many come at once


def _handler(fake: FakeHindsight) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: Any) -> None:
            """Log nothing."""

        def _any(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = dict(self.headers.items())
            status, body, extra = fake.answer(self.command, self.path, headers, content)
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in extra.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _any  # noqa: N815  (the names of http.server)

    return Handler
