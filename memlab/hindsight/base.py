"""What all questions to a server share: the client, the bank, time limits, permission to write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeVar

from pydantic import BaseModel
from tqdm.auto import tqdm

from ..errors import (
    BankReadOnly,
    HindsightBankNotFound,
    HindsightError,
    HindsightNotFound,
    InputError,
)
from ..models import Scope
from ..settings import Settings
from .client import Answer, Client, Part
from .ids import path
from .replies import BanksReply, Page, read

__all__ = ["Base"]

Clock = Literal["request", "recall", "retain", "reflect"]
Kind = TypeVar("Kind", bound=BaseModel)
_PAGE = 1_000
_ROUNDS = 3
_LISTED = 12
_NO_BANK = re.compile(r"Bank '(.*)' not found", re.DOTALL)


class Base:
    """A bank on a server. The door is :class:`memlab.Hindsight`."""

    bank: str
    settings: Settings
    scope: Scope | None
    writable: bool
    _client: Client
    _timeout: float | None

    def _seconds(self, clock: Clock) -> float:
        """Return the time limit of an operation: the one given, else that of the settings."""
        if self._timeout is not None:
            return self._timeout
        milliseconds: int = getattr(self.settings.hindsight, f"{clock}_timeout_ms")
        return milliseconds / 1000

    def _path(self, *parts: str) -> str:
        return path(self.bank, *parts)

    def _ask(
        self,
        operation: str,
        path_: str,
        query: Mapping[str, Any] | None = None,
        *,
        method: str = "GET",
        body: Mapping[str, Any] | None = None,
        clock: Clock = "request",
        binary: bool = False,
    ) -> Answer:
        """Send a request that changes nothing; it is tried again where that may help."""
        return self._send(
            operation, method, path_, query, body=body, clock=clock, reads=True, binary=binary
        )

    def _get(
        self,
        operation: str,
        model: type[Kind],
        path_: str,
        query: Mapping[str, Any] | None = None,
    ) -> Kind:
        """Ask, and read the answer."""
        return read(operation, model, self._ask(operation, path_, query).data)

    def _write(
        self,
        operation: str,
        method: str,
        path_: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        *,
        part: Part | None = None,
        clock: Clock = "request",
    ) -> Any:
        """Send a request that changes something, once. Raises BankReadOnly where not allowed."""
        self._allow(operation)
        return self._send(operation, method, path_, query, body=body, part=part, clock=clock).data

    def _allow(self, operation: str) -> None:
        if not self.writable:
            raise BankReadOnly(
                f"{operation} would change the bank {self.bank!r}, which was opened for reading. "
                "Open it with Hindsight(..., writable=True)."
            )

    def _send(
        self,
        operation: str,
        method: str,
        path_: str,
        query: Mapping[str, Any] | None = None,
        *,
        body: Mapping[str, Any] | None = None,
        part: Part | None = None,
        clock: Clock = "request",
        reads: bool = False,
        binary: bool = False,
    ) -> Answer:
        try:
            return self._client.call(
                operation,
                method,
                path_,
                timeout=self._seconds(clock),
                query=query,
                body=body,
                part=part,
                reads=reads,
                binary=binary,
            )
        except HindsightNotFound as error:
            if isinstance(error.details, str) and (found := _NO_BANK.fullmatch(error.details)):
                raise self._no_bank(found[1], error) from None
            raise

    def _no_bank(self, name: str, error: HindsightNotFound) -> HindsightBankNotFound:
        """Return the error of a missing bank, with the banks there are."""
        try:
            # Straight from the client, and briefly: this only makes the message better.
            seconds = min(self._seconds("request"), 5.0)
            data = self._client.call(
                "banks", "GET", path(), query={"limit": 100}, timeout=seconds
            ).data
            names = [one.bank_id for one in read("banks", BanksReply, data).banks]
            more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
            there = (
                f"It has {', '.join(map(repr, names[:_LISTED]))}{more}."
                if names
                else "It has none."
            )
        except HindsightError as other:
            there = f"Its banks could not be listed ({other.outcome})."
        return HindsightBankNotFound(
            f"There is no bank {name!r} on {self._client.url}. {there}",
            said=error.said,
            status=error.status,
            details=error.details,
        )

    def _all(
        self,
        operation: str,
        path_: str,
        query: Mapping[str, Any] | None = None,
        *,
        page: int = _PAGE,
        key: str = "id",
        progress: bool | None = None,
    ) -> list[dict[str, Any]]:
        """Read a list to its end; every item once, in the server's order.

        Where the list changes while it is read, it is read again. Raises
        HindsightError where it changes each time, InputError where the server cuts it off.
        """
        for _ in range(_ROUNDS):
            found: dict[Any, dict[str, Any]] = {}
            totals: set[int | None] = set()
            for items, total in self._pages(operation, path_, query or {}, page, progress):
                totals.add(total)
                for item in items:
                    # What lacks its key is told from others by all it holds, never lost.
                    name = item.get(key)
                    found.setdefault(json.dumps(item if name is None else name), item)
            # Had the length changed, a row could have moved from an unread page to a read one.
            if len(totals) == 1 and len(found) >= (totals.pop() or 0):
                return list(found.values())
        raise HindsightError(
            f"{operation}: the list changes while it is read ({_ROUNDS} attempts, "
            f"{len(found)} items in the last). Try again when nobody writes."
        )

    def _pages(
        self,
        operation: str,
        path_: str,
        query: Mapping[str, Any],
        page: int,
        progress: bool | None,
    ) -> Iterator[tuple[tuple[dict[str, Any], ...], int | None]]:
        """Give page after page, each with the length of the list where the server tells it."""
        offset, bar = 0, None
        while True:
            asked = {**query, "limit": page, "offset": offset}
            got = self._get(operation, Page, path_, asked)
            if got.total_is_estimate:
                raise InputError(
                    f"{operation}: more than {got.total:,} match, and the server gives no further "
                    "ones of a search. Ask for less, or filter the frame of the whole list."
                )
            yield got.items, got.total
            offset += len(got.items)
            last = len(got.items) < page if got.total is None else offset >= got.total
            if bar is None and (not last if progress is None else progress):
                bar = tqdm(total=got.total, desc=operation, leave=False)
            if bar is not None:
                bar.update(len(got.items))
            if not got.items or last:
                break
        if bar is not None:
            bar.close()
