"""Giving a session its name: the one thing here that writes into a log, and only when asked."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from ..errors import FormatError, InputError
from ..text.dates import iso_millis
from ..text.javascript import trim
from .lines import MalformedLine, parse_line
from .pify.documents import info_name
from .pify.jsontext import stringify
from .pify.titles import name_for
from .session import Session

__all__ = ["name_session", "proposed_name"]


def proposed_name(session: Session) -> str:
    """Return the name that @pify/recall would give a session, "" if none.

    None where it has a name, on whatever branch; else a title made of the first text typed
    on the active one.
    """
    if _is_named(session):
        return ""
    return name_for([session.entries[place].raw for place in session.tree.path])


def _is_named(session: Session) -> bool:
    return any(info_name(entry.raw) for entry in session.entries)


def name_session(
    session: Session | str | Path,
    name: str | None = None,
    *,
    writable: bool = False,
    now: datetime | None = None,
) -> str:
    """Append a name to a log of pi that has none; return the name, or "" if nothing was done.

    One line of type ``session_info`` at the end, written at once; nothing else changes.
    ``name`` is by default what the extension would choose. Asks for ``writable=True``.
    Raises InputError for logs of other agents, which keep their titles elsewhere, and
    FormatError where the last line is unfinished, or the header missing or broken.
    """
    log = session if isinstance(session, Session) else Session(session)
    if not writable:
        raise InputError(
            f"Naming {log.path} writes into it. Ask with writable=True; the agent must not have "
            "the session open."
        )
    if log.agent != "pi":
        raise InputError(f"{log.path} is a log of {log.agent}, which keeps its titles elsewhere.")
    if log.report.version is None:
        raise FormatError(
            f"{log.path} has no header that can be read, so it is no session to pi; nothing was "
            "written."
        )
    chosen = proposed_name(log) if name is None else trim(name)
    if not chosen or _is_named(log):
        return ""
    _append(log, _line(log, chosen, now or datetime.now(UTC)))
    return chosen


def _line(log: Session, name: str, now: datetime) -> bytes:
    known = {entry.id for entry in log.entries}
    fresh: Iterable[str] = iter(lambda: secrets.token_hex(4), None)
    entry: dict[str, object] = {"type": "session_info"}
    if log.report.version not in (None, "1"):  # version 1 has no tree
        parent = log.entries[-1].id if log.entries else None
        entry |= {"id": next(key for key in fresh if key not in known), "parentId": parent}
    entry |= {"timestamp": iso_millis(now), "name": name}
    return f"{stringify(entry)}\n".encode()


def _append(log: Session, line: bytes) -> None:
    """Write a line at the end, in one go; after a last line without its newline, that first."""
    try:
        with log.path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(-min(file.tell(), 1), os.SEEK_END)
            ends = file.read(1) in (b"\n", b"")
        if not ends:
            last = log.path.read_bytes().rsplit(b"\n", 1)[-1]
            parse_line(last)
        with log.path.open("ab") as file:
            file.write(line if ends else b"\n" + line)
    except MalformedLine as error:
        raise FormatError(
            f"{log.path}: the last line is unfinished ({error}); nothing was written."
        ) from error
    except OSError as error:
        raise FormatError(f"{log.path} cannot be written: {error.strerror}.") from error
