"""An OpenAI-compatible service on loopback that takes each text for one fact."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["serve"]


def _content(request: dict[str, Any]) -> str:
    user = str(request["messages"][-1]["content"])
    if "response_format" not in request:
        return "ok"
    if "Content:\n" not in user:
        return json.dumps({"creates": [], "updates": [], "deletes": []})
    text = user.rsplit("Content:\n", 1)[-1].strip()
    unknown = dict.fromkeys(("when", "where", "who", "why"), "N/A")
    return json.dumps({"facts": [{"what": text, "fact_type": "world", "entities": [], **unknown}]})


@contextmanager
def serve() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Listen for the length of a with block; gives the address and the requests that came."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            """Log nothing."""

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            requests.append(request)
            message = {"role": "assistant", "content": _content(request)}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            body = json.dumps(
                {"id": "x", "object": "chat.completion", "created": 1, "model": request["model"],
                 "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                 "usage": usage}
            ).encode()  # fmt: skip
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requests
    finally:
        server.shutdown()
        server.server_close()
