"""Servers that are slow, stop in the middle, or are not there."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memlab.errors import HindsightTimeout, HindsightUnreachable, InputError
from memlab.hindsight import Hindsight
from memlab.testing.hindsight import FakeHindsight, Request
from tests.hindsight.loopback import HEAD, Act, drip, misbehaving, send


def asked(url: str, timeout: float = 0.7) -> Hindsight:
    return Hindsight("b", url=url, timeout=timeout)


@pytest.mark.parametrize(
    "act",
    [
        drip(HEAD + b'{"results": []}', 0.05),  # the body drips
        drip(HEAD, 0.1),  # even the head drips
        send(b"", linger=5),  # silence
        send(HEAD + b'{"resul', linger=5),  # half an answer, then silence
    ],
    ids=["dripping head and body", "dripping head", "silent", "half and silent"],
)
def test_the_time_limit_is_for_the_whole_answer(act: Act) -> None:
    """Field reports 47, 48: a server that sends a byte now and then meets no usual limit."""
    with misbehaving(act) as url:
        start = time.monotonic()
        with pytest.raises(
            HindsightTimeout, match=r"recall request timed out after 1s \(given 0.7 s\)"
        ):
            asked(url).recall("words")
        assert time.monotonic() - start < 2.5


def test_half_an_answer_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with misbehaving(send(HEAD + b'{"results": [')) as url:
        with pytest.raises(HindsightUnreachable, match="No whole answer came") as caught:
            asked(url, timeout=5).recall("words")
        assert caught.value.outcome == "unavailable"


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(HindsightUnreachable, match="Connection refused") as caught:
        asked(f"http://127.0.0.1:{port}").recall("words")
    assert caught.value.said.startswith("recall request failed: ")


def test_the_time_limits_are_those_of_the_settings() -> None:
    from memlab.settings import Settings

    settings = Settings.load(hindsight={"recall_timeout_ms": 300, "request_timeout_ms": 500})
    with misbehaving(send(b"", linger=3)) as url:
        bank = Hindsight("b", url=url, settings=settings)
        for ask, said in ((lambda: bank.recall("x"), "0.3 s"), (bank.health, "0.5 s")):
            with pytest.raises(HindsightTimeout, match=said):
                ask()


def test_a_timeout_is_not_tried_again() -> None:
    calls = []

    def act(connection: socket.socket, over: threading.Event) -> None:
        calls.append(1)
        over.wait(2)

    with misbehaving(act) as url, pytest.raises(HindsightTimeout):
        asked(url, 0.4).recall("words")
    assert len(calls) == 1


@pytest.mark.parametrize("parallel", [4, 2, 14])
def test_at_most_four_requests_are_under_way(parallel: int) -> None:
    """Or as many as are given: no fewer, however many connections there usually are."""
    most, now, lock, full = 0, 0, threading.Lock(), threading.Event()
    fake = FakeHindsight()
    fake.add("b", "words")
    original = fake.answer

    def counted(*arguments):  # type: ignore[no-untyped-def]
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
            if now == parallel:
                full.set()
        full.wait(20)  # until all that may come at once are here
        time.sleep(0.02)  # and one too many would be, too
        try:
            return original(*arguments)
        finally:
            with lock:
                now -= 1

    fake.answer = counted  # type: ignore[method-assign]
    given = {} if parallel == 4 else {"parallel": parallel}
    with fake.serve() as url, ThreadPoolExecutor(28) as pool:
        bank = Hindsight("b", url=url, timeout=60, **given)  # type: ignore[arg-type]
        assert all(len(one) == 1 for one in pool.map(bank.recall, ["words"] * 56))
        bank.close()
    assert most == parallel


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_leaves_nothing_hanging() -> None:
    code = """
        import sys
        from memlab.hindsight import Hindsight
        bank = Hindsight("b", url=sys.argv[1], timeout=60)
        print("asking", flush=True)
        bank.recall("words")
    """
    with misbehaving(send(b"", linger=15)) as url:
        run = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), url],
            cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert run.stdout is not None
        assert run.stdout.readline() == "asking\n"
        time.sleep(0.5)
        start = time.monotonic()
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=10)
        assert time.monotonic() - start < 3
        assert "KeyboardInterrupt" in said


def test_a_proxy_of_the_environment_is_not_used_for_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = FakeHindsight()
    fake.add("b", "words")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with fake.serve() as url:
        assert len(asked(url, 5).recall("words")) == 1


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_time_limit_holds_through_a_proxy(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that takes a connection and says nothing, or drips, is a slow server."""
    monkeypatch.setenv("no_proxy", "")
    for act in (send(b"", linger=6), drip(HEAD, 0.1)):
        with misbehaving(act) as url:
            monkeypatch.setenv(f"{scheme}_proxy", url.removeprefix("http://"))
            with pytest.raises(HindsightTimeout, match="given 0.7 s"):
                asked(f"{scheme}://memory.example:8888").recall("words")


def test_a_proxy_passes_answers_on(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeHindsight()
    fake.add("b", "words")

    def fault(request: Request) -> None:
        assert request.headers["host"] == "memory.example:8888"

    fake.fault = fault
    with fake.serve() as url:
        monkeypatch.setenv("http_proxy", url)
        monkeypatch.setenv("no_proxy", "")
        assert len(asked("http://memory.example:8888", 5).recall("words")) == 1


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan"), "5", True])
def test_time_limits_that_are_none(timeout: object) -> None:
    with pytest.raises(InputError, match="give seconds"):
        Hindsight("b", timeout=timeout)  # type: ignore[arg-type]


def test_a_very_long_time_limit_is_one(fake: FakeHindsight) -> None:
    fake.add("b", "words")
    with fake.serve() as url:
        assert len(asked(url, 1e12).recall("words")) == 1


@pytest.mark.parametrize(
    "end", ["?", "#", "/?x=1", "/#/banks", "/v1/default/banks/b?", "/v1/default/banks/b?x="]
)
def test_an_address_that_would_swallow_every_path_is_refused(fake: FakeHindsight, end: str) -> None:
    """To delete a document would be to delete the bank, whose path stands in the address."""
    fake.add("b", "Worth keeping.", document="d")
    with fake.serve() as url, pytest.raises(InputError, match="without [?] and #"):
        Hindsight("b", url=url + end, writable=True).delete_document("d")
    assert fake.requests == []
    assert len(fake.banks["b"].memories) == 1
