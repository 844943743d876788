"""A loopback server that misbehaves on the wire, below HTTP."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

__all__ = ["HEAD", "misbehaving"]

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n"

Act = Callable[[socket.socket, threading.Event], None]


@contextmanager
def misbehaving(act: Act) -> Iterator[str]:
    """Accept connections, read a request, and let ``act`` answer on the bare socket."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)
    over = threading.Event()
    threads: list[threading.Thread] = []

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(20)
            connection.recv(65536)
            act(connection, over)

    def accept() -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                thread = threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True)
                threads.append(thread)
                thread.start()

    main = threading.Thread(target=accept, daemon=True)
    main.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        over.set()
        main.join()
        listener.close()
        for thread in threads:
            thread.join(timeout=5)


def drip(data: bytes, pause: float, most: float = 8.0) -> Act:
    """Send byte by byte."""

    def act(connection: socket.socket, over: threading.Event) -> None:
        end = time.monotonic() + most
        for byte in data:
            if time.monotonic() > end or over.wait(pause):
                return
            connection.sendall(bytes([byte]))

    return act


def send(data: bytes, linger: float = 0.0) -> Act:
    """Send what is given and hang up, after ``linger`` seconds."""

    def act(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(data)
        over.wait(linger)

    return act
