"""Making an index, opening one, and making it anew where it cannot be used."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ...errors import FormatError
from .location import MEMORY, connect, fit_for_use, make
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
        make(path, fill)
        connection = connect(str(path))
    return Opened(connection, str(path or MEMORY), origin, replace(reports[0], rebuilt=why))


def open_index(
    path: Path,
    source: Source | None,
    *,
    live: str | None = None,
    progress: bool | None = False,
) -> Opened:
    """Open the index at a path, or make it anew and say why."""
    why = fit_for_use(path)
    if why is None:
        connection = connect(str(path))
        origin = Origin.kept(connection)
        if source is not None:
            origin = Origin.of(source, origin.caps if origin else Caps())
        docs, files = counts(connection)
        return Opened(connection, str(path), origin, SyncReport(0, 0, docs, files, 0.0))
    origin = Origin.remembered(path) if source is None else Origin.of(source, Caps())
    if origin is None:
        raise FormatError(
            f"The index {path} cannot be used: {why}. Name the logs it is to be made of "
            "(SessionIndex.open(path, source)), and it is made anew."
        )
    return build_index(origin, path, live=live, progress=progress, why=why)
