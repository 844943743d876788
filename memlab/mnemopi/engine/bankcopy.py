"""Banks to ask many times: one copy, and every question sees the same state."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...backends.closing import Closing
from ...errors import EngineError
from .copies import bank_name, copy_bank, copy_scope
from .wire import request_of

if TYPE_CHECKING:
    from .driver import Engine

__all__ = ["BankCopy", "ScopeCopy"]


class _Copies(Closing):
    """A temporary folder with copies that the engine may open."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._folder = tempfile.TemporaryDirectory(
            prefix="memlab-copy-", ignore_cleanup_errors=True
        )
        self.folder = Path(self._folder.name).resolve()

    def close(self) -> None:
        """Close the copies and remove them."""
        try:
            if self._engine.pid is not None:
                with suppress(EngineError):
                    self._engine.call("close", prefix=str(self.folder))
        finally:
            self._folder.cleanup()


class BankCopy(_Copies):
    """A copy of one bank; the original stays as it is, and the copy forgets every recall."""

    def __init__(
        self,
        engine: Engine,
        path: Path,
        *,
        bank: str | None = None,
        session: str | None = None,
        channel: str | None = None,
    ) -> None:
        """Copy the bank now. The name defaults to that of the agent's layout."""
        super().__init__(engine)
        self.bank = bank_name(path) if bank is None else bank
        self.session = session
        self.channel = channel
        try:
            self.path = copy_bank(path, self.folder / "bank.db")
        except BaseException:
            self._folder.cleanup()
            raise

    def recall(
        self,
        query: str,
        *,
        op: str = "recallEnhanced",
        top_k: int = 8,
        options: Mapping[str, Any] | None = None,
        now: str | datetime | None = None,
    ) -> list[dict[str, Any]]:
        """The engine's hits, best first, as the engine gives them.

        By default what the agent calls: eight hits, facts included, the
        channel of the bank. ``options`` replace these, in the engine's
        spelling; ``op`` is recall, recallEnhanced, beamRecall,
        beamRecallEnhanced or factRecall. Raises as Engine.call does.
        """
        if options is None:
            options = {"includeFacts": True, "channelId": self.bank}
        hits: list[dict[str, Any]] = self._engine.call(
            op,
            db=self.path,
            bank=self.bank,
            session=self.session,
            channel=self.channel,
            now=now,
            undo=True,
            query=query,
            topK=top_k,
            options=dict(options),
        )
        return hits


class ScopeCopy(_Copies):
    """Copies of the banks of an agent's scope."""

    def __init__(self, engine: Engine, config: Mapping[str, Any]) -> None:
        """Copy the banks now; those that do not exist stay absent."""
        super().__init__(engine)
        request = request_of({"op": "scopedRecall", "args": {"config": dict(config)}})
        try:
            self.config = copy_scope(request["args"]["config"], self.folder)
        except BaseException:
            self._folder.cleanup()
            raise

    def recall(self, query: str, *, now: str | datetime | None = None) -> list[dict[str, Any]]:
        """What the agent recalls over its banks, merged, ordered and cut."""
        hits: list[dict[str, Any]] = self._engine.call(
            "scopedRecall", now=now, undo=True, config=self.config, query=query
        )
        return hits

    def recall_text(self, query: str, *, now: str | datetime | None = None) -> dict[str, Any]:
        """The hits as the agent's tools print them: results, withIds, context, json."""
        found: dict[str, Any] = self._engine.call(
            "scopedRecallText", now=now, undo=True, config=self.config, query=query
        )
        return found

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory of the scope by its id, None if no bank has it."""
        found: dict[str, Any] | None = self._engine.call(
            "scopedGet", undo=True, config=self.config, memoryId=memory_id
        )
        return found
