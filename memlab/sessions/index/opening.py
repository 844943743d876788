"""Making an index, opening one, and making it anew where it cannot be used."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ...errors import FormatError
from .location import MEMORY, MISSING, connect, fit_for_use, index_errors, make
from .origin import Origin, Source
from .schema import create
from .sync import Caps, SyncReport, counts, sync

__all__ = ["Opened", "build_index", "open_index"]


class Opened(NamedTuple):
    """An index ready for questions."""

    connection: sqlite3.Connection
    path: str
    origin: Origin | None
    report: SyncReport


def build_index(
    origin: Origin,
    path: Path | None,
    *,
    live: str | None = None,
    progress: bool | None = False,
    why: str | None = None,
) -> Opened:
    """Index the logs of an origin anew, in memory or in a file; ``why`` goes into the report."""
    reports: list[SyncReport] = []

    def fill(connection: sqlite3.Connection) -> None:
        origin.keep(connection)
        reports.append(sync(connection, origin.files(), origin.caps, live=live, progress=progress))

    if path is None:
        connection = connect(MEMORY)
        create(connection)
        fill(connection)
    else:
        fit_for_use(path)  # refuses somebody else's database before any work is done
        try:
            make(path, fill)
        except (OSError, sqlite3.Error) as error:
            raise FormatError(
                f"The index {path} cannot be made: {error}. What was there before is as it was."
            ) from error
        connection = connect(str(path))
    return Opened(connection, str(path or MEMORY), origin, replace(reports[0], rebuilt=why))


def open_index(
    path: Path,
    source: Source | None,
    *,
    max_docs: float | None = None,
    live: str | None = None,
    progress: bool | None = False,
) -> Opened:
    """Open the index at a path, or make it anew and say why.

    One with another limit of documents than ``max_docs`` is made anew too.
    """
    why = fit_for_use(path)
    origin = None if why == MISSING else Origin.remembered(path)
    caps = origin.caps if origin else Caps()
    if max_docs not in (None, caps.max_docs):
        why = why or f"its limit was another one ({caps.max_docs:,.0f} messages)"
        caps = caps._replace(max_docs=max_docs)
    if source is not None:
        origin = Origin.of(source, caps)
    elif origin is not None:
        origin = origin._replace(caps=caps)
    if why is None:
        with index_errors(path):
            connection = connect(str(path))
            docs, files = counts(connection)
        return Opened(connection, str(path), origin, SyncReport(0, 0, docs, files, 0.0))
    if origin is None:
        raise FormatError(
            f"The index {path} cannot be used: {why}. Name the logs it is to be made of "
            "(SessionIndex.open(path, source)), and it is made anew."
        )
    return build_index(origin, path, live=live, progress=progress, why=why)
