"""The tool that keeps new memories: retain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ..autorecall.checks import items_of
from ..autorecall.style import Style
from ..errors import BankError, InputError
from ..settings import Settings
from ..text.found import counted
from ..text.redact import redact
from .protocols import Retaining, able
from .result import ToolResult
from .session import clock, ready, settings_of, way_of

__all__ = ["retain"]

_FIELDS = {"content", "context", "scope"}
_SCOPES = ("project", "global")
_FULL = 16
"""Items at which the agent's queue begins to send; what is queued meanwhile goes as a second batch."""


def retain(
    backend: Any,
    items: str | Mapping[str, Any] | Iterable[Mapping[str, Any] | str],
    *,
    now: datetime | str | None = None,
    shared: Any = None,
    session_id: str | None = None,
    cwd: str | None = None,
    style: Style | None = None,
    settings: Settings | None = None,
) -> ToolResult:
    """Keep memories as the agent's ``retain`` tool does.

    Each item is a text, or a mapping with ``content`` and perhaps ``context``
    and ``scope`` ("project" or "global"); a single one needs no list. ``now``
    is the clock, which each memory is dated by. On Mnemopi each becomes a row, and
    the answer counts what is stored; a global item goes to the ``shared`` bank.
    ``session_id`` and ``cwd`` go into the metadata. Secrets in a content and in
    the metadata are replaced by [REDACTED] first. Give a bank that is open for
    writing, such as ``bank.copy(path)``. On Hindsight the items are queued as
    they are, the first 16 as one batch and the rest as another: there the agent
    replaces nothing.

    Raises InputError for what cannot be retained, with nothing stored. Where an
    item fails, nothing after it is tried, and a BankError (BankLocked, where it
    is that) names those stored before, in the agent's words.
    """
    way = way_of(backend, style, settings)
    target = ready(backend, way)
    alone = isinstance(items, str | Mapping)
    checked = [_item(item) for item in ([items] if alone else items_of("items", items))]
    if not checked:
        raise InputError("There is nothing to retain: items is empty.")
    extra = {"session_id": session_id, "cwd": cwd}
    if way == "hindsight":
        _queue(target, checked, settings_of(backend, settings), session_id, clock(now))
        return ToolResult(f"{counted(len(checked))} queued.", {"count": len(checked)})
    stopped = {} if now is None else {"now": clock(now)}
    _store(target, shared, checked, extra, stopped)
    return ToolResult(f"{counted(len(checked))} stored.", {"count": len(checked)})


def _item(item: object) -> Mapping[str, Any]:
    given = {"content": item} if isinstance(item, str) else item
    if not isinstance(given, Mapping) or not isinstance(given.get("content"), str):
        raise InputError(f"An item is a text, or a mapping with a content; not {item!r:.80}.")
    if unknown := sorted(set(given) - _FIELDS):
        raise InputError(f"An item has no {', '.join(unknown)}; it has content, context and scope.")
    if given.get("scope", "project") not in _SCOPES:
        raise InputError(f'scope is "project" or "global", not {given["scope"]!r}.')
    return given


def _queue(
    backend: Any,
    items: Sequence[Mapping[str, Any]],
    settings: Settings,
    session_id: str | None,
    moment: str,
) -> None:
    if any(item.get("scope") == "global" for item in items):
        raise InputError("Global memory scope is only available with the Mnemopi backend.")
    usual = settings.hindsight.retain_context
    more: dict[str, Any] = {"timestamp": moment}
    if session_id is not None:
        more["metadata"] = {"session_id": session_id}
    queued = []
    for item in items:
        context = item.get("context")
        queued.append(
            {"content": item["content"], "context": usual if context is None else context, **more}
        )
    writer = able(backend, Retaining, "retain")
    writer.retain(queued[:_FULL])
    if rest := queued[_FULL:]:
        try:
            writer.retain(rest)
        except Exception as error:
            error.add_note(f"Items 1 to {_FULL} of {len(queued)} were taken before this.")
            raise


def _store(
    bank: Any,
    shared: Any,
    items: Sequence[Mapping[str, Any]],
    extra: Mapping[str, Any],
    stopped: Mapping[str, str],
) -> None:
    targets = {"project": bank, "global": shared}
    wanted = [targets[item.get("scope") or "project"] for item in items]
    if any(target is None for target in wanted):
        raise InputError(
            "Mnemopi global scope requires global or per-project-tagged scoping. "
            "Give the shared bank: shared=bank."
        )
    writers = [able(target, Retaining, "retain") for target in wanted]
    kept: list[str] = []
    for item, writer in zip(items, writers, strict=True):
        try:
            kept += writer.retain([_written(item, extra)], **stopped).ids
        except Exception as error:  # also of an embedder: what is stored must be said
            kind = type(error) if isinstance(error, BankError) else BankError
            raise kind(_failed(str(error), kept, len(items))) from error


def _written(item: Mapping[str, Any], extra: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = {**extra, "context": item.get("context"), "tool": "retain"}
    clean = {n: redact(value) if isinstance(value, str) else value for n, value in metadata.items()}
    return {"content": redact(item["content"]), "metadata": clean}


def _failed(reason: str, kept: Sequence[str], count: int) -> str:
    number = len(kept) + 1
    named = ", ".join(f"item {place} (id {key})" for place, key in enumerate(kept, start=1))
    said = f"Stored before the failure and kept: {named}." if kept else "Nothing was stored."
    rest = " Later items were not attempted." if number < count else ""
    return (
        f"Mnemopi did not store item {number} of {count}: {reason.removesuffix('.')}. {said}{rest}"
    )
