"""One running bridge: requests go out with a number, answers come back in order."""

from __future__ import annotations

import itertools
import shutil
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import EngineError
from . import wire
from .environment import environment
from .places import bridge, bun
from .process import LineProcess

__all__ = ["Conversation", "Ticket"]


@dataclass(slots=True)
class Ticket:
    """A request that was sent; ``answer`` is filled when it arrives."""

    number: int
    op: str
    own_id: Any
    copies: Path | None
    answer: dict[str, Any] | None = None


class Conversation:
    """The engine's process with its private home, and what it was asked."""

    def __init__(self, folder: Path, *, repeatable: bool = False) -> None:
        """Start the process of an installation."""
        script = bridge(folder)
        self._home = Path(tempfile.mkdtemp(prefix="memlab-engine-")).resolve()
        self._numbers = itertools.count(1)
        self._open: dict[int, Ticket] = {}
        self._sending = threading.Lock()
        self._receiving = threading.Lock()
        try:
            self.process = LineProcess(
                [bun(folder), "--no-install", script],
                cwd=folder,
                env=environment(self._home, folder, repeatable=repeatable),
                log=self._home / "stderr.log",
            )
        except OSError as error:
            shutil.rmtree(self._home, ignore_errors=True)
            raise EngineError(
                f"Bun could not be started ({error}). Remove {folder} and run "
                "`memlab engine install`."
            ) from error

    def send(self, raw: Mapping[str, Any]) -> Ticket:
        """Send a request; with isolate, the copy of its bank is made now."""
        request = wire.request_of(raw)
        with self._sending:
            number = next(self._numbers)
            copies = self._home / f"copies-{number}" if request.get("isolate") else None
            try:
                if copies is not None:
                    request = wire.isolated(request, copies)
                line = wire.encode(request | {"id": number})
            except BaseException:
                _remove(copies)
                raise
            ticket = Ticket(number, request["op"], raw.get("id"), copies)
            self._open[number] = ticket
            self.process.send(line)
        return ticket

    def wait(self, ticket: Ticket, timeout: float) -> dict[str, Any]:
        """The answer to a request, with the id the caller gave it.

        Raises EngineError if the process ends, is silent for ``timeout``
        seconds or answers with something else.
        """
        with self._receiving:
            while ticket.answer is None:
                self._receive(ticket, timeout)
        return ticket.answer | {"id": ticket.own_id}

    def _receive(self, waiting: Ticket, timeout: float) -> None:
        try:
            line = self.process.receive(timeout)
        except TimeoutError:
            raise EngineError(
                f"The engine did not answer {waiting.op} within {timeout:g} s and was stopped. "
                "Give it more time with Engine.start(timeout=...)."
            ) from None
        if line is None:
            raise EngineError(self._farewell(waiting))
        answer = _decode(line, waiting)
        ticket = self._open.pop(answer.get("id"), None)  # type: ignore[arg-type]
        if ticket is None:
            raise EngineError(f"The engine answered something nobody asked: {line[:200]!r}.")
        ticket.answer = answer
        _remove(ticket.copies)

    def _farewell(self, waiting: Ticket) -> str:
        words = self.process.last_words()
        said = f" Its last words:\n{words}" if words else ""
        return f"The engine {self.process.how_it_ended()} before it answered {waiting.op}.{said}"

    def stop(self, grace: float = 0.0) -> None:
        """End the process and remove its home with every copy in it."""
        self.process.stop(grace)
        shutil.rmtree(self._home, ignore_errors=True)

    @property
    def home(self) -> Path:
        """The private folder of this process; it goes when the process goes."""
        return self._home


def _remove(copies: Path | None) -> None:
    if copies is not None:
        shutil.rmtree(copies, ignore_errors=True)


def _decode(line: bytes, waiting: Ticket) -> dict[str, Any]:
    whole = line.endswith(b"\n")
    try:
        answer = wire.decode(line) if whole else None
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        what = "a line that is not an answer" if whole else "half a line"
        raise EngineError(
            f"The engine was asked {waiting.op} and sent {what}: {line[:200]!r}. It was stopped."
        )
    return answer
