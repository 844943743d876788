"""What the agent does with a bank besides recalling: ensure it, retain, reflect."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ..errors import HindsightBankNotFound, HindsightError, InputError
from ..text.javascript import order_key, trim
from .base import Base
from .ids import document_id, tag_list
from .replies import ReflectReply, RetainReply, read

__all__ = ["Retaining", "bank_order"]

log = logging.getLogger("memlab.hindsight")
MOST_BANKS = 10_000
_ITEM = ("content", "timestamp", "context", "metadata", "document_id", "tags",
         "observation_scopes", "strategy", "update_mode", "entities", "resolve_entities")  # fmt: skip

# Banks that this process has made sure of, by server and name; as the agent keeps them.
_done: dict[str, set[str]] = {}
_lock = threading.Lock()


def bank_order(done: set[str], bank: str) -> None:
    """Note a bank as done; past the cap, the first half in order of names is forgotten."""
    done.add(bank)
    if len(done) > MOST_BANKS:
        names = sorted(done, key=order_key)
        done.difference_update(names[: len(names) // 2])


class Retaining(Base):
    """Ensure, retain, reflect."""

    def ensure_bank(self) -> bool:
        """Make sure that the bank is there, once per bank and process; return whether it is.

        As the agent does: the missions of the settings go with it, and a
        failure is swallowed (the debug log of ``memlab.hindsight`` has it) and
        tried again next time.
        """
        self._allow("ensure_bank")
        known = self.settings.hindsight
        with _lock:
            done = _done.setdefault(self._client.url, set())
            if self.bank in done:
                return True
        body = {
            "reflect_mission": trim(known.bank_mission or "") or None,
            "retain_mission": trim(known.retain_mission or "") or None,
        }
        try:
            self._write("createBank", "PUT", self._path(), body)
        except HindsightError as error:
            log.debug("the bank %s could not be ensured: %s", self.bank, error)
            return False
        with _lock:
            bank_order(done, self.bank)
        return True

    def retain(
        self,
        items: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
        *,
        asynchronous: bool = True,
        tags: Sequence[str] | None = None,
        create: bool = True,
    ) -> RetainReply:
        """Store memories: texts, or mappings with content, and perhaps context, timestamp,
        document_id, metadata (text to text), tags, entities.

        As the agent does, the bank is ensured first and the items are queued:
        the reply's ``operations`` can be waited for with :meth:`wait`.
        ``asynchronous=False`` waits for the server itself. ``tags`` are put on
        items without any; by default those of the scope. With ``create=False`` a
        missing bank is an error instead of being made.

        Raises InputError for what is no item, and what the server raises.
        """  # noqa: D205
        own = self.scope.retain_tags if self.scope else ()
        usual = tag_list(own if tags is None else tags) or []
        several = [items] if isinstance(items, str | Mapping) else list(items)
        body = {
            "items": [_item(one, usual) for one in several],
            "async": True if asynchronous else None,
        }
        self._allow("retain")
        self._ready(create=create)
        operation = "retain" if len(several) == 1 else "retainBatch"
        data = self._write(operation, "POST", self._path("memories"), body, clock="retain")
        return read(operation, RetainReply, data)

    def reflect(
        self,
        query: str,
        *,
        context: str | None = None,
        budget: str | None = None,
        max_tokens: int | None = None,
        tags: Sequence[str] | None = None,
        tags_match: str | None = None,
        create: bool = False,
        **options: Any,
    ) -> ReflectReply:
        """Have the server reason out an answer from what it remembers; it needs a language model.

        ``budget`` is that of the settings by default, tags and match those of
        the scope; ``max_tokens`` and ``options`` (include, response_schema,
        fact_types, …) go to the server as they are. A missing bank would be
        created by the server, so it is looked for first; ``create=True`` ensures
        it instead, as the agent does.

        Raises HindsightRefused without a language model.
        """
        if create:
            self._allow("reflect(create=True)")
        self._ready(create=create)
        scope = self.scope
        body = {
            "query": query,
            "context": context,
            "budget": budget or self.settings.hindsight.recall_budget,
            "max_tokens": max_tokens,
            "tags": _tags(scope) if tags is None else tag_list(tags),
            "tags_match": tags_match or (scope.match if scope and tags is None else None),
            **options,
        }
        # Not asked again after a failure: a language model may have been paid already.
        answer = self._send("reflect", "POST", self._path("reflect"), body=body, clock="reflect")
        return read("reflect", ReflectReply, answer.data)

    def _ready(self, *, create: bool) -> None:
        if create:
            self.ensure_bank()
            return
        try:
            self._ask("stats", self._path("stats"))
        except HindsightBankNotFound:
            raise
        except HindsightError as error:
            log.debug("the bank %s could not be looked for: %s", self.bank, error)


def _tags(scope: Any) -> list[str] | None:
    return list(scope.recall_tags) if scope is not None and scope.recall_tags else None


def _item(item: str | Mapping[str, Any], tags: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {"content": item} if isinstance(item, str) else dict(item)
    if unknown := sorted(set(given) - set(_ITEM)):
        raise InputError(f"An item has no {', '.join(unknown)}; it may have {', '.join(_ITEM)}.")
    content = given.get("content")
    if not content or (isinstance(content, str) and not content.strip()):
        raise InputError(f"An item needs a content that is not blank; this has {content!r:.80}.")
    if given.get("document_id") is not None:
        document_id(given["document_id"])
    for name, value in (given.get("metadata") or {}).items():
        if not isinstance(value, str):
            raise InputError(
                f"metadata[{name!r}]={value!r:.80}: Hindsight's metadata maps text to text."
            )
    given["tags"] = (tags or None) if given.get("tags") is None else tag_list(given["tags"])
    if isinstance(given.get("timestamp"), datetime):
        given["timestamp"] = given["timestamp"].isoformat()
    return {name: value for name, value in given.items() if value is not None}
