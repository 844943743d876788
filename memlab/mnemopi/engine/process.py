"""A child process that answers lines with lines."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO

__all__ = ["LineProcess"]

# A wait is cut into slices so that Ctrl-C is noticed on every system.
_SLICE = 0.2


class LineProcess:
    """Sends lines to a child and receives lines from it, without ever blocking on a pipe.

    Two threads move the lines, so a child that stops reading or writing cannot
    hang the caller: ``receive`` has a time limit.
    """

    def __init__(
        self, command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], log: Path
    ) -> None:
        """Start the child; what it writes to standard error goes to the file ``log``."""
        self._log = log
        with log.open("wb") as errors:
            # A session of its own: Ctrl-C in the terminal is handled here, not by the child.
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self._incoming: SimpleQueue[bytes | None] = SimpleQueue()
        self._threads = (
            _thread(_write_lines, self._process.stdin, self._outgoing),
            _thread(_read_lines, self._process.stdout, self._incoming),
        )

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def send(self, line: bytes) -> None:
        """Queue a line; it has to end with a newline."""
        self._outgoing.put(line)

    def receive(self, timeout: float) -> bytes | None:
        """The next line, or what is left of one; None when the child's output has ended.

        Raises TimeoutError after ``timeout`` seconds without a line.
        """
        end = time.monotonic() + timeout
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                line = self._incoming.get(timeout=min(left, _SLICE))
            except Empty:
                continue
            if line is None:
                self._incoming.put(None)  # the end stays the end, for every caller
            return line

    def last_words(self, lines: int = 8) -> str:
        """The end of what the child wrote to standard error."""
        try:
            text = self._log.read_text("utf8", errors="replace")
        except OSError:
            return ""
        return "\n".join(text.strip().splitlines()[-lines:])

    def how_it_ended(self) -> str:
        """The exit code or signal of a child whose output has ended."""
        try:
            code = self._process.wait(2)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def stop(self, grace: float = 0.0) -> None:
        """End the child: ask by closing its input, wait ``grace`` seconds, then kill."""
        self._outgoing.put(None)
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join(2)


def _thread(
    target: Callable[[IO[bytes], SimpleQueue[bytes | None]], None],
    stream: IO[bytes] | None,
    queue: SimpleQueue[bytes | None],
) -> threading.Thread:
    thread = threading.Thread(target=target, args=(stream, queue), daemon=True)
    thread.start()
    return thread


def _write_lines(stream: IO[bytes], queue: SimpleQueue[bytes | None]) -> None:
    try:
        while (line := queue.get()) is not None:
            stream.write(line)
            stream.flush()
    except OSError:
        pass  # the child is gone; the reader tells it
    finally:
        with contextlib.suppress(OSError):
            stream.close()


def _read_lines(stream: IO[bytes], queue: SimpleQueue[bytes | None]) -> None:
    with stream:
        for line in stream:  # splits on \n alone, as the protocol does
            queue.put(line)
    queue.put(None)
