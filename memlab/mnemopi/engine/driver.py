"""The real Mnemopi engine as a Python object."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn, Self

from ...backends.closing import Closing
from ...errors import BankNotFound, EngineError, EngineFailed, EngineMissing, InputError
from .bankcopy import BankCopy, ScopeCopy
from .conversation import Conversation, Ticket
from .pins import pins
from .places import engine_dir, is_whole

__all__ = ["Engine"]

# How many requests of a batch are under way at once.
_WINDOW = 32
# Seconds a process gets to close its files.
_GRACE = 5.0


class Engine(Closing):
    """The real engine, run beside memlab and asked by operation.

    Use it as a context manager. The process starts with the first question
    and again after a failure; nothing but files survives between two
    processes. Several threads may ask; the engine answers one after the other.

    ``recall`` and ``copy_of`` never touch the bank they are given. ``call``
    and ``ask`` do what they are told: an engine that opens a bank changes it.
    """

    def __init__(self, folder: Path, *, timeout: float = 120.0, repeatable: bool = False) -> None:
        """An engine installed in ``folder``; the rest as in ``start``."""
        self._folder = Path(folder)
        self._repeatable = repeatable
        self._timeout = timeout
        self._running: Conversation | None = None
        self._finalizer: weakref.finalize[Any, Any] | None = None
        self._closed = False
        self._starting = threading.Lock()

    @classmethod
    def start(
        cls, cache: Path | None = None, *, timeout: float = 120.0, repeatable: bool = False
    ) -> Self:
        """Start the installed engine and check its versions.

        ``cache`` is the folder it was installed under, ``timeout`` the seconds
        an answer may take. With ``repeatable`` the ids it makes for new
        memories depend only on what this engine was asked before, not on
        chance: for building the same bank twice. Raises EngineMissing if it is
        not installed, EngineError if it does not start.
        """
        folder = engine_dir(cache)
        if not is_whole(folder):
            raise EngineMissing(
                f"The real engine is not installed (looked for {folder}). Run "
                "`memlab engine install`, or memlab.mnemopi.engine.install()."
            )
        engine = cls(folder, timeout=timeout, repeatable=repeatable)
        engine._check_versions()
        return engine

    def _check_versions(self) -> None:
        try:
            found = self.version()
        except BaseException:
            self.close()
            raise
        wanted = pins().versions()
        if any(found.get(name) != version for name, version in wanted.items()):
            self.close()
            raise EngineError(
                f"The engine in {self._folder} is {found}, memlab needs {wanted}. Remove that "
                "folder and run `memlab engine install`."
            )

    def version(self) -> dict[str, Any]:
        """Versions of the engine, the agent's layer, Bun, SQLite, ICU and Unicode, and the zone."""
        answer: dict[str, Any] = self.call("version")
        return answer

    def call(
        self,
        op: str,
        *,
        db: Path | str | None = None,
        bank: str | None = None,
        session: str | None = None,
        channel: str | None = None,
        author_id: str | None = None,
        author_type: str | None = None,
        now: str | datetime | None = None,
        isolate: bool = False,
        undo: bool = False,
        after: bool = False,
        **args: Any,
    ) -> Any:
        """Run one operation and give its result.

        ``now`` stops the engine's clock, ``isolate`` works on a throw-away copy
        of the bank, ``undo`` takes back what the operation wrote (recalls
        only), ``after`` gives (result, counters of the bank afterwards).
        The bank's session defaults to its name, the channel to the session.

        Raises EngineFailed with the engine's own error, EngineError if it does
        not answer, BankNotFound for a reading operation on a missing file.
        """
        identity = {"session": session, "channel": channel, "author_id": author_id}
        flags = {"isolate": isolate, "undo": undo, "after": after, "now": now}
        request = {"op": op, "db": db, "bank": bank, "author_type": author_type, "args": args}
        running = self._conversation()
        answer = self._wait(running, running.send(request | identity | flags))
        if not answer["ok"]:
            raise _error(op, answer["error"])
        return (answer["result"], answer.get("after")) if after else answer["result"]

    def ask(self, requests: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Send many requests and give their raw answers in order, several under way at once.

        A request is {op, db, bank, session, channel, author_id, author_type,
        now, isolate, undo, after, args, id}; an answer {id, op, ok, result,
        after} or {id, op, ok: False, error: {name, message, errors}}.
        Requests are taken as answers are: a lazy batch may be endless.
        """
        under_way: deque[tuple[Conversation, Ticket]] = deque()
        for request in requests:
            running = self._conversation()
            under_way.append((running, running.send(request)))
            if len(under_way) >= _WINDOW:
                yield self._wait(*under_way.popleft())
        while under_way:
            yield self._wait(*under_way.popleft())

    def recall(self, path: Path | str, query: str, **options: Any) -> list[dict[str, Any]]:
        """Recall from a copy of a bank, as the agent would; the bank itself is not touched.

        Options are those of BankCopy.recall, and bank, session and channel of copy_of.
        """
        names = {key: options.pop(key, None) for key in ("bank", "session", "channel")}
        with self.copy_of(path, **names) as copy:
            return copy.recall(query, **options)

    def copy_of(
        self,
        path: Path | str,
        *,
        bank: str | None = None,
        session: str | None = None,
        channel: str | None = None,
    ) -> BankCopy:
        """A throw-away copy of a bank to ask many times; a context manager."""
        return BankCopy(self, Path(path), bank=bank, session=session, channel=channel)

    def copy_of_scope(self, config: Mapping[str, Any]) -> ScopeCopy:
        """Throw-away copies of the banks of an agent's scope; a context manager.

        ``config`` is the agent's: dbPath, bank, globalBank, retainBank, recallBanks, scoping.
        """
        return ScopeCopy(self, config)

    @property
    def pid(self) -> int | None:
        """The process id of the running engine, None while there is none."""
        return None if self._running is None else self._running.process.pid

    def _conversation(self) -> Conversation:
        with self._starting:
            if self._closed:
                raise EngineError("This engine was closed; start another one with Engine.start().")
            if self._running is None:
                self._running = Conversation(self._folder, repeatable=self._repeatable)
                # It holds the conversation, not the engine: it runs when the engine goes.
                self._finalizer = weakref.finalize(self, self._running.stop, _GRACE)
            return self._running

    def _wait(self, running: Conversation, ticket: Ticket) -> dict[str, Any]:
        try:
            return running.wait(ticket, self._timeout)
        except BaseException:
            # Ctrl-C, a time limit, a broken line: whatever it is doing now, nobody waits for it.
            self._drop(running)
            raise

    def _drop(self, running: Conversation) -> None:
        if self._running is running:
            self._running = None
            if self._finalizer is not None:
                self._finalizer.detach()
        running.stop()

    def close(self) -> None:
        """End the engine's process; it can be called twice."""
        self._closed = True
        if self._finalizer is not None:
            self._finalizer()
        self._running = None

    def __reduce__(self) -> NoReturn:
        """Refuse to be sent to another process."""
        raise InputError(
            "A running engine cannot be sent to another process. Give engine='omp', so that each "
            "process starts its own, or ask in threads: prefer='threads'."
        )


def _error(op: str, error: Mapping[str, Any]) -> Exception:
    if error["name"] == "BankNotFound":
        return BankNotFound(f"{error['message']}.")
    parts = tuple((part["name"], part["message"]) for part in error["errors"])
    message = f"The engine's {op} failed: {error['name']}: {error['message']}"
    return EngineFailed(message, name=error["name"], errors=parts)
