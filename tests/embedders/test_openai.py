"""The embedder for OpenAI-compatible servers, against a real one on the loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab import build_bank
from memlab.embedders import OpenAIEmbedder
from memlab.errors import (
    BackendUnavailable,
    InputError,
    InvalidReply,
    RecallRefused,
    RecallTimeout,
)

Answer = Callable[[dict[str, Any]], tuple[int, Any]]


class Server:
    """What was asked, and where."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[tuple[str, str | None, dict[str, Any]]] = []


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append((self.path, self.headers.get("Authorization"), body))
            status, said = answer(body)
            data = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server = Server(f"http://127.0.0.1:{http.server_port}/v1")
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


def lengths(body: dict[str, Any]) -> tuple[int, Any]:
    """Vectors that tell which text they are of, in reverse order."""
    rows = [{"index": i, "embedding": [len(t), 1.5]} for i, t in enumerate(body["input"])]
    return 200, {"object": "list", "data": rows[::-1], "model": body["model"]}


def test_texts_become_vectors_in_their_order() -> None:
    with serving(lengths) as server:
        embed = OpenAIEmbedder(server.url + "/", "tiny", api_key="s3cret", batch=2)
        got = embed(["a", "bb", "ccc"])
    assert got.tolist() == [[1, 1.5], [2, 1.5], [3, 1.5]]
    assert got.dtype == np.float32
    assert [path for path, _, _ in server.requests] == ["/v1/embeddings"] * 2
    assert {key for _, key, _ in server.requests} == {"Bearer s3cret"}
    assert server.requests[0][2] == {"model": "tiny", "input": ["a", "bb"]}


def test_the_key_is_never_shown() -> None:
    embed = OpenAIEmbedder("http://127.0.0.1:9/v1", "tiny", api_key="s3cret")
    assert "s3cret" not in repr(embed)
    with pytest.raises(BackendUnavailable) as caught:
        embed(["x"])
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("status", [200, 401])
def test_nor_where_the_server_repeats_it(status: int) -> None:
    with (
        serving(lambda body: (status, {"error": "wrong key: s3cret"})) as server,
        pytest.raises((RecallRefused, InvalidReply), match=r"\[api_key\]") as caught,
    ):
        OpenAIEmbedder(server.url, "tiny", api_key="s3cret")(["x"])
    assert "s3cret" not in str(caught.value)


def test_a_password_in_the_address_is_sent_and_never_shown() -> None:
    with serving(lengths) as server:
        embed = OpenAIEmbedder(server.url.replace("//", "//ada:s3cret@"), "tiny")
        assert embed(["x"]).tolist() == [[1, 1.5]]
    assert str(server.requests[0][1]).startswith("Basic ")
    with pytest.raises(BackendUnavailable) as caught:
        embed(["x"])
    for shown in (repr(embed), str(caught.value)):
        assert "127.0.0.1" in shown
        assert "s3cret" not in shown


def test_without_a_key_none_is_sent() -> None:
    with serving(lengths) as server:
        OpenAIEmbedder(server.url, "tiny")(["x"])
    assert server.requests[0][1] is None


def test_a_bank_is_embedded_and_asked_with_it(tmp_path: Path) -> None:
    with serving(lengths) as server:
        embed = OpenAIEmbedder(server.url, "tiny")
        bank = build_bank(["abc", "a long text about a ferry"], tmp_path / "b.db", embedder=embed)
        recall = bank.recall("xyz")
        assert recall[0].text == "abc"
        assert recall[0].scores["vector"] == 1
    assert bank.vectors().model == "tiny"


@pytest.mark.parametrize(
    ("status", "said", "kind", "words"),
    [
        (401, {"error": {"message": "bad key"}}, RecallRefused, "401 bad key"),
        (404, {"error": "no model tiny"}, RecallRefused, "404 no model tiny"),
        (500, b"<html>oops</html>", RecallRefused, "500 <html>oops"),
        (200, b"<html>a page</html>", InvalidReply, "no list of embeddings"),
        (200, {"data": [{"embedding": [1]}]}, InvalidReply, "no list of embeddings"),
        (200, {"data": []}, InvalidReply, "0 vectors"),
        (200, {"data": [{"index": 0, "embedding": [1]}] * 2}, InvalidReply, "the same index"),
        (200, {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}, InvalidReply, r"\[1, 2\] numbers"),
    ],
)  # fmt: skip
def test_whatever_else_it_answers_is_an_error(
    status: int, said: Any, kind: type[Exception], words: str
) -> None:
    with (
        serving(lambda body: (status, said)) as server,
        pytest.raises(kind, match=words),
    ):
        OpenAIEmbedder(server.url, "tiny")(["a", "b"])


def test_a_server_that_is_too_slow() -> None:
    leave = threading.Event()

    def slow(body: dict[str, Any]) -> tuple[int, Any]:
        leave.wait(5)
        return lengths(body)

    with serving(slow) as server:
        with pytest.raises(RecallTimeout, match=r"within 0\.1 s"):
            OpenAIEmbedder(server.url, "tiny", timeout=0.1)(["x"])
        leave.set()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"url": "localhost"}, "not an address"),
        ({"url": "http://"}, "not an address"),
        ({"url": "http://host/\n"}, "not an address"),
        ({"url": "ada:s3cret@host/v1"}, "^This url is not an address"),
        ({"url": 5}, "not an address"),
        ({"batch": 0}, "at least one"),
        ({"batch": "all"}, "at least one"),
        ({"api_key": "schlüssel"}, "only ASCII"),
    ],
)
def test_what_cannot_be_asked(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        OpenAIEmbedder(**{"url": "http://127.0.0.1/v1", "model": "m", **changes})


def test_a_single_text_is_not_taken_apart() -> None:
    with pytest.raises(InputError, match="a list of texts"):
        OpenAIEmbedder("http://127.0.0.1:9/v1", "m")("abc")  # type: ignore[arg-type]
